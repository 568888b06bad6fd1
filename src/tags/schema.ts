import { type Static, Type } from 'typebox'
import { TAG_MAX, tagKey } from '../contents/schema.ts'
import { invalid } from '../errors.ts'
import { choice } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { readText } from '../http/text.ts'
import { TagCount } from '../search/schema.ts'

export const FOLLOWED_MAX = 500

export const TagsQuery = Type.Object({
  sort: choice(['popular', 'trending', 'name'], {
    default: 'popular',
    description:
      '`popular`: by number of contents. `trending`: tags of at least two creators in the last 7 days, by number of these creators. `name`: in code point order',
  }),
  q: Type.Optional(
    Type.String({
      maxLength: TAG_MAX,
      description: 'Only tags that begin with this text, ignoring case',
    }),
  ),
  ...PageQuery,
})
export type TagsInput = Static<typeof TagsQuery>

const Tag = Type.Object(
  {
    ...TagCount.properties,
    is_following: Type.Boolean({ description: 'True when the viewer follows this tag' }),
  },
  { title: 'Tag' },
)

export const Tags = Type.Object({ tags: Type.Array(Tag), pagination: Pagination })
export const OneTag = Type.Object({ tag: Tag })
export const TagFollow = Type.Object({ is_following: Type.Boolean() }, { title: 'TagFollow' })
export const HiddenTag = Type.Object(
  { tag: Type.String(), is_hidden: Type.Boolean() },
  { title: 'HiddenTag' },
)

/** Returns the key of the tag. Errors: 422 on `tag` for a text that content cannot have as a tag. */
export function readTag(sent: string): string {
  const read = readText(sent, { maxLength: TAG_MAX })
  if (!('text' in read)) throw invalid('tag', read.key, read.params)
  if (read.text === '') throw invalid('tag', 'invalid.blank')
  if ([...read.text].length > TAG_MAX) throw invalid('tag', 'invalid.too_long', { limit: TAG_MAX })
  return tagKey(read.text)
}
