import type { Flag } from './flag.ts'

/** An erased content item or user. Backups contain these rows, so that a restore can erase again. */
export interface ErasureRow {
  id: string
  erased_at: number
}

/** What an erasure does with contents, and with comments and posts. */
export type ErasureChoice = 'erase' | 'keep'

/** The requested deletion of an account. It stays after the erasure, in case that must be repeated. */
export interface DeletionRow {
  user_id: string
  contents: ErasureChoice
  texts: ErasureChoice
  requested_at: number
  /** Null once the erasure has begun. */
  due_at: number | null
  /** Language of the request. */
  language: string
}

/** A file without a row in `files`, which is still in the store. */
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
  /** Language of the request. */
  language: 'ko' | 'en'
  /** Path in the file store; null unless the status is `completed`. */
  path: string | null
  size_bytes: number | null
  /** Suffix of the failure message's key: `job.<error>`. */
  error: string | null
  created_at: number
  expires_at: number | null
  deleted_at: number | null
}
