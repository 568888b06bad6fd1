import type { Flag } from './flag.ts'

export interface FollowRow {
  creator_id: string
  follower_id: string
  created_at: number
  is_follower_suspended: Flag
  /** 1 while the creator is suspended. Stays 0 if `suspended_stars` contains the creator, who has many followers. */
  is_creator_suspended: Flag
  /** Id of the creator's content item from which the user followed, or null. */
  content_id: string | null
}

/** A block or a mute of another user, or both. */
export interface UserFilterRow {
  user_id: string
  /** The blocked or muted user. */
  filtered_id: string
  /** Time of the block; null when the user is only muted. */
  blocked_at: number | null
  /** Time of the mute; null when the user is only blocked. */
  muted_at: number | null
}

/** A tag that is or was on public content, or that a moderator has hidden. */
export interface TagRow {
  /** Normalised form of the tag, as `tagKey` returns it. */
  tag: string
  /** Number of public content items with the tag. */
  content_count: number
  /** 1 while a moderator keeps the tag out of lists of tags. */
  is_hidden: Flag
}
