/** Tables of daily statistics. `day` is the number of UTC days since 1970. Triggers write all counts except views. */
export interface StatsTables {
  content_days: ContentDayRow
  follower_days: { creator_id: string; day: number; follows: number }
}

/**
 * Value of `day` for views that were stored before the server counted views by day. This day is before the year 0,
 * so it cannot be a real one.
 */
export const UNDATED = -1_000_000

export const DAY_MS = 86_400_000

/**
 * Views of a content item on a day, and the plays, likes, comments and follows that were created on that day and
 * still exist. `follows` counts only follows from this content item.
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
