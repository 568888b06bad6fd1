/** Under what posts are kept: all below `['posts']`, so that a change finds them wherever they are. */

export const FEED_KEY = ['posts', 'feed'] as const

export function threadKey(id: string) {
  return ['posts', 'thread', id] as const
}
