/** Atom feeds of content (RFC 4287). */
import type { ContentRecord } from '../contents/schema.ts'
import { escapeMarkup, withoutBidi } from '../http/markup.ts'

export interface AtomFeed {
  /** Address of the site, without a slash at the end. */
  base: string
  title: string
  /** URL-encoded path of the feed. */
  path: string
  /** URL-encoded path of the page that lists the content of the feed. */
  page: string
  /** Name of the site or of the creator. */
  author: string
  contents: readonly ContentRecord[]
}

const text = (value: string) => escapeMarkup(withoutBidi(value))
/** Update time of a feed without entries, because Atom requires an update time. */
const NEVER = new Date(0).toISOString()

export function atomXml({ base, title, path, page, author, contents }: AtomFeed): string {
  const updated = contents.map(({ updated_at }) => updated_at).sort()
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${text(base + path)}</id>
  <title>${text(title)}</title>
  <updated>${updated.at(-1) ?? NEVER}</updated>
  <author><name>${text(author)}</name></author>
  <link rel="self" type="application/atom+xml" href="${text(base + path)}"/>
  <link rel="alternate" type="text/html" href="${text(base + page)}"/>
  <icon>${text(base)}/favicon.ico</icon>
${contents.map((content) => entryXml(base, content)).join('')}</feed>
`
}

function entryXml(base: string, content: ContentRecord): string {
  const { id, title, description, creator, tags, media, published_at, created_at, updated_at } =
    content
  const url = text(`${base}/contents/${id}`)
  const file = media.find((medium) => medium.url !== null)
  const lines = [
    `<id>${url}</id>`,
    `<title>${text(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${url}"/>`,
    ...(file
      ? [
          `<link rel="enclosure" type="${text(file.mime_type)}" length="${file.size_bytes}" href="${text(base + file.url)}"/>`,
        ]
      : []),
    `<published>${published_at ?? created_at}</published>`,
    `<updated>${updated_at}</updated>`,
    `<author><name>${text(creator.display_name)}</name><uri>${text(`${base}/creators/${creator.handle}`)}</uri></author>`,
    ...tags.map((tag) => `<category term="${text(tag)}"/>`),
    ...(description ? [`<summary>${text(description)}</summary>`] : []),
  ]
  return `  <entry>\n${lines.map((line) => `    ${line}\n`).join('')}  </entry>\n`
}
