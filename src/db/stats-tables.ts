/** Tables with numbers by day. A day is the number of days since 1970 in UTC. Triggers write most of them. */
export interface StatsTables {
  content_days: ContentDayRow
  follower_days: { creator_id: string; day: number; follows: number }
}

/** Day of the views from before views were counted by day. It is before the year 0. */
export const UNDATED = -1_000_000
export const DAY_MS = 86_400_000

/**
 * Numbers of a content item on a day: views, and the plays, likes, comments and follows that were created on that
 * day and still count. `follows` counts those that came from the content item.
 */
export interface ContentDayRow {
  content_id: string
  day: number
  creator_id: string
  views: number
  plays: number
  likes: number
  comments: number
  follows: number
}
