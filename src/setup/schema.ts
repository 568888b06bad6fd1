import { type Static, Type } from 'typebox'
import { NewAccount, SignedIn } from '../auth/schema.ts'
import { checked, checkOf } from '../http/fields.ts'
import { checkSiteName } from '../site/schema.ts'

const { handle, email, password } = NewAccount.properties

export const SetupInput = checked(
  Type.Object(
    {
      code: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'From the log of the server; case, spaces and hyphens do not matter',
      }),
      handle,
      email,
      password,
      site_name: Type.String({ minLength: 1, maxLength: 50 }),
    },
    {
      examples: [
        {
          code: 'V2K9M-0T7XA-QF3HD-8RWPC',
          handle: 'mina',
          email: 'mina@example.com',
          password: 'a long walk by the river',
          site_name: 'Plaza',
        },
      ],
    },
  ),
  (body, problems) => {
    checkOf(NewAccount)?.(body as never, problems)
    checkSiteName('site_name', body.site_name, problems)
  },
)
export type SetupInput = Static<typeof SetupInput>

export const SetUp = SignedIn
