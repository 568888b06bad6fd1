import type { Flag } from './flag.ts'

/**
 * The erasure of a content item or user. The server also logs these rows in `erasures.jsonl`. After a restore, the
 * logged erasures that this table lacks are repeated.
 */
export interface ErasureRow {
  id: string
  erased_at: number
}

/** The user's choice to delete or keep content items, or comments and posts, when the account is erased. */
export type ErasureChoice = 'erase' | 'keep'

/**
 * The requested deletion of an account. The row stays after the erasure, so that repeating the erasure, for example
 * after a restore, uses the same choices.
 */
export interface DeletionRow {
  user_id: string
  contents: ErasureChoice
  texts: ErasureChoice
  requested_at: number
  /** Time at which the erasure will begin. Null once it has begun. */
  due_at: number | null
  /** Language of the request for the deletion. */
  language: string
}

/** A stored file whose row in `files` was deleted. */
export interface RemovedFileRow {
  sha256: string
  path: string
  thumbnail_path: string | null
  removed_at: number
}

export type ExportStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'expired'

export interface ExportRow {
  id: string
  user_id: string
  status: ExportStatus
  with_files: Flag
  /** Language of the request for the export. */
  language: 'ko' | 'en'
  /** Path in the file store; null unless the status is `completed`. */
  path: string | null
  size_bytes: number | null
  /** Reason of a failure. The key of its message is `job.<error>`. */
  error: string | null
  created_at: number
  expires_at: number | null
  deleted_at: number | null
}
