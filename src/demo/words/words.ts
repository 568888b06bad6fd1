/** What the texts of one language are made of. In a text `{name}` stands for one of `parts.name`. */
export interface Words {
  /** Given and family names as written, and as a handle spells them. */
  given: readonly (readonly [string, string])[]
  family: readonly (readonly [string, string])[]
  fullName(family: string, given: string): string
  /** Two words that make a nickname, with the spelling in a handle. */
  qualities: readonly (readonly [string, string])[]
  beings: readonly (readonly [string, string])[]
  parts: Record<string, readonly string[]>
  bios: readonly string[]
  titles: Record<'video' | 'image' | 'audio' | 'article' | 'game' | 'short', readonly string[]>
  descriptions: readonly string[]
  tags: Record<'video' | 'image' | 'audio' | 'article' | 'game' | 'short', readonly string[]>
  controls: readonly string[]
  /** Sentences of an article. */
  sentences: readonly string[]
  comments: readonly string[]
  answers: readonly string[]
  posts: readonly string[]
  postReplies: readonly string[]
  openings: readonly string[]
  messages: readonly string[]
}
