import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import type { PageRow } from '../db/site-tables.ts'
import { checked, choice, time } from '../http/fields.ts'
import { inLanguage, LocalTextRecord, localTextInput, requireLanguage } from '../http/local-text.ts'
import type { Language } from '../messages/language.ts'

export const PAGES_MAX = 30

const revision = Type.Integer({ description: 'Number of changes of this page' })

export const PageAnswer = Type.Object({
  page: Type.Object(
    {
      slug: Type.String(),
      title: Type.String(),
      body: Type.String({ description: 'Markdown; HTML in it is plain text' }),
      language: choice(['ko', 'en'], { description: 'Language of title and body' }),
      revision,
      updated_at: time(),
    },
    { title: 'Page' },
  ),
})

const LocalPage = Type.Object(
  {
    slug: Type.String(),
    title: LocalTextRecord,
    body: LocalTextRecord,
    revision,
    updated_at: time(),
  },
  { title: 'LocalPage' },
)
export const OneLocalPage = Type.Object({ page: LocalPage })
export const LocalPages = Type.Object({ pages: Type.Array(LocalPage) })

export const PageInput = checked(
  Type.Object(
    {
      title: localTextInput({ minLength: 1, maxLength: 100 }),
      body: localTextInput({ minLength: 1, maxLength: 50_000 }),
      revision: Type.Integer({
        minimum: 0,
        description: 'The revision that the change is based on; 0 creates the page',
      }),
    },
    {
      examples: [
        {
          title: { ko: '이용약관', en: 'Terms' },
          body: { ko: '# 이용약관', en: '# Terms of use' },
          revision: 0,
        },
      ],
    },
  ),
  ({ title, body }, problems) => {
    requireLanguage('title', title, problems)
    requireLanguage('body', body, problems)
  },
)
export type PageInput = Static<typeof PageInput>

export function toPage(row: PageRow, wanted: Language): Static<typeof PageAnswer>['page'] {
  const { text: body, language } = inLanguage(JSON.parse(row.body), wanted)
  const { text: title } = inLanguage(JSON.parse(row.title), language)
  const { slug, revision: number, updated_at } = row
  return { slug, title, body, language, revision: number, updated_at: iso(updated_at) }
}

export function toLocalPage(row: PageRow): Static<typeof LocalPage> {
  const { slug, revision: number, updated_at } = row
  return {
    slug,
    title: JSON.parse(row.title),
    body: JSON.parse(row.body),
    revision: number,
    updated_at: iso(updated_at),
  }
}
