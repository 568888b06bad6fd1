/** The vocabulary of one language. In texts, `{name}` stands for an entry of `parts.name`. */
export interface Words {
  /** Given and family names, each as written and as spelled in a handle. */
  given: readonly (readonly [string, string])[]
  family: readonly (readonly [string, string])[]
  fullName(family: string, given: string): string
  /** Words that combine to a nickname, each with its spelling in a handle. */
  qualities: readonly (readonly [string, string])[]
  beings: readonly (readonly [string, string])[]
  parts: Record<string, readonly string[]>
  bios: readonly string[]
  titles: Record<'video' | 'image' | 'audio' | 'article' | 'game' | 'short', readonly string[]>
  descriptions: readonly string[]
  tags: Record<'video' | 'image' | 'audio' | 'article' | 'game' | 'short', readonly string[]>
  controls: readonly string[]
  sentences: readonly string[]
  comments: readonly string[]
  answers: readonly string[]
  posts: readonly string[]
  postReplies: readonly string[]
  openings: readonly string[]
  messages: readonly string[]
}
