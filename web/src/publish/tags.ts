import { TAG_MAX, TAGS_MAX } from './content.ts'

/** Adds the tags in a comma-separated text. Removes duplicates and leading `#` signs. */
export function withTags(tags: readonly string[], typed: string): readonly string[] {
  const known = new Set(tags.map(keyOf))
  const added: string[] = []
  for (const part of typed.split(',')) {
    const tag = [...part.trim().replace(/^#+/, '').trim().normalize('NFC')]
      .slice(0, TAG_MAX)
      .join('')
    if (!tag || known.has(keyOf(tag)) || tags.length + added.length >= TAGS_MAX) continue
    known.add(keyOf(tag))
    added.push(tag)
  }
  return added.length > 0 ? [...tags, ...added] : tags
}

function keyOf(tag: string): string {
  return tag.toLowerCase().normalize('NFC')
}
