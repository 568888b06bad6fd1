import type { Flag } from './flag.ts'

/** A stored file. Uploads with identical bytes share one row. */
export interface FileRow {
  /** SHA-256 of the stored bytes, in hex. */
  sha256: string
  /** Path in the file store. The public URL is `/uploads/` followed by this path. */
  path: string
  mime_type: string
  size_bytes: number
  width: number | null
  height: number | null
  duration_ms: number | null
  /** Codec of an audio file, such as aac or opus. Null for other files, and when the codec is unknown. */
  audio_codec: string | null
  /** Path of a WebP preview; null for files that are not pictures. */
  thumbnail_path: string | null
  /** Total bytes of the file, its thumbnail and the files of its bundle. */
  stored_bytes: number
  rendition_bytes: number
  /** Number of stored files: the file, its thumbnail and the files of its bundle. */
  file_count: number
  /** 0 for a file from an earlier version until the server has measured `stored_bytes` and `rendition_bytes`. */
  is_measured: Flag
  created_at: number
}

export interface UploadRow {
  id: string
  owner_id: string
  file_sha256: string
  /** SHA-256 of the received bytes, if removing the metadata of a picture changed them; else null. */
  received_sha256: string | null
  created_at: number
}

export interface ContentMediaRow {
  content_id: string
  position: number
  upload_id: string
  file_sha256: string
}

export type JobKind =
  | 'conversion'
  | 'settling'
  | 'thumbnail'
  | 'sizes'
  | 'erasure'
  | 'export'
  | 'sweep'
/** Each process runs at most one job per kind and queue at a time, so long jobs do not block the short queue. */
export type JobQueue = 'short' | 'long'
export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed'

/** There is at most one job for each kind and subject. */
export interface JobRow {
  id: string
  kind: JobKind
  /**
   * Id of a content item, user, export or decision. For `conversion`, `settling` and the `sizes` of an avatar, the
   * SHA-256 of the file.
   */
  subject: string
  status: JobStatus
  /** Progress in thousandths. */
  progress: number
  /** Suffix of the failure message's key: `job.<error>`. */
  error: string | null
  attempts: number
  /** Time when a worker may claim the job, or when the current lease ends. Null when the job has ended. */
  due_at: number | null
  /** Random token of the current claim. Null while no worker runs the job. */
  lease: string | null
  /** Id of the user who owns the job; empty for the server's own jobs. */
  owner_id: string
  queue: JobQueue
  /** Estimated processor time in milliseconds. A worker runs each owner's shortest job first. */
  expected_ms: number
  cpu_ms: number
  created_at: number
  updated_at: number
}

/** Position of a job owner in the rotation of a queue. Workers next run a job of the owner with the lowest `turn`. */
export interface JobTurnRow {
  kind: JobKind
  queue: JobQueue
  owner_id: string
  turn: number
}

/** Processor time of an owner's jobs on the last day on which one of them ran. */
export interface JobUsageRow {
  owner_id: string
  /** UTC day, as days since 1970. */
  day: number
  used_ms: number
}

/** A file that a conversion created from a video or audio file: a playable version or a WebP poster. */
export interface RenditionRow {
  file_sha256: string
  position: number
  path: string
  mime_type: string
  /** Null in rows from earlier versions. */
  size_bytes: number | null
  width: number | null
  height: number | null
}

/** A smaller version of a picture. */
export interface PictureSizeRow {
  file_sha256: string
  width: number
  mime_type: string
  height: number
  path: string
  size_bytes: number
}

/** Column of `contents`. */
export interface ContentSizes {
  /** JSON list of `StoredSize`. Null until the server has made the sizes of the thumbnail and the pictures. */
  thumbnail_sizes: string | null
}

export interface BlockedAvatar {
  /** URL of the user's avatar while the file of the avatar is blocked. `avatar_url` is then null. */
  blocked_avatar_url: string | null
}

export type Runtime = 'html5' | 'wasm' | 'swf'

export interface BundleRow {
  file_sha256: string
  runtime: Runtime
  /** Page that starts an HTML5 game; null for other runtimes. */
  entry: string | null
  /** JSON of the file's properties and warnings. */
  facts: string
}

/** A file of an unpacked bundle. The store names the file by `position`, not by `path`. */
export interface BundleFileRow {
  bundle_sha256: string
  path: string
  position: number
  mime_type: string
  size_bytes: number
}
