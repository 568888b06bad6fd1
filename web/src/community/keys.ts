/** Query keys of posts. All begin with `posts`, so that one update changes every cached copy of a post. */

export const FEED_KEY = ['posts', 'feed'] as const

export function threadKey(id: string) {
  return ['posts', 'thread', id] as const
}
