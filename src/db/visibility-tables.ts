/** Columns for the visibility of content, and for the viewing preferences of users. */
import type { Flag } from './flag.ts'

export const VISIBILITIES = ['public', 'unlisted', 'followers'] as const
export type Visibility = (typeof VISIBILITIES)[number]
export const EMBEDDINGS = ['everywhere', 'nowhere'] as const
export const WARNINGS = [
  'violence',
  'nudity',
  'sexual',
  'language',
  'drugs',
  'gambling',
  'horror',
  'flashing',
] as const

/** Columns of `contents`. */
export interface ContentAccess {
  /** Viewers who can open the content once it is published. */
  visibility: Visibility
  /**
   * Time at which the server will publish a draft; null without a scheduled publication. Stays set when the time has
   * come but the media are not converted yet (status `processing`).
   */
  publish_at: number | null
  /** JSON list of values from WARNINGS. */
  warnings: string
  warning_text: string | null
  /** Sites whose pages may embed the content. */
  embedding: (typeof EMBEDDINGS)[number]
}

/**
 * Viewers who can open content that is not public, as stored in `content_stats`. The column is null for public
 * content, and for content that only its author and moderators can open.
 */
export type SharedWith = 'anyone' | 'followers'

export const ADULT_FILTERS = ['hide', 'blur', 'show'] as const
export const FLASHING_FILTERS = ['blur', 'show'] as const

/** Columns of `users`. */
export interface ViewingPreferences {
  adult_filter: (typeof ADULT_FILTERS)[number]
  flashing_filter: (typeof FLASHING_FILTERS)[number]
  /** 1 when search engines may index the user's pages. */
  is_indexed: Flag
}
