/** Query keys of posts. All of them begin with `posts`, so that one update reaches every copy. */

export const FEED_KEY = ['posts', 'feed'] as const

export function threadKey(id: string) {
  return ['posts', 'thread', id] as const
}
