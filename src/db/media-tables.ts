/** Rows of stored files, background jobs and games. */
import type { Flag } from './flag.ts'

/** Stored bytes; identical uploads share one row. */
export interface FileRow {
  /** SHA-256 of the stored bytes, in hex. */
  sha256: string
  /** Path in the store and below `/uploads/`. */
  path: string
  mime_type: string
  size_bytes: number
  width: number | null
  height: number | null
  duration_ms: number | null
  /**
   * Codec of an audio file (aac, opus, pcm-s16, ...). Null for other files and for codecs that browsers
   * cannot play.
   */
  audio_codec: string | null
  /** Path of a WebP preview; null for files that are not pictures. */
  thumbnail_path: string | null
  /** Bytes of the file, its thumbnail and the files of its bundle. */
  stored_bytes: number
  /** Bytes of all renditions made from the file. */
  rendition_bytes: number
  /** 0 until the sizes of the thumbnail and renditions are counted. */
  is_measured: Flag
  created_at: number
}

export interface UploadRow {
  id: string
  owner_id: string
  file_sha256: string
  created_at: number
}

export interface ContentMediaRow {
  content_id: string
  position: number
  upload_id: string
  file_sha256: string
}

export type JobKind = 'conversion' | 'settling' | 'thumbnail'
/** A process runs one job of each queue at a time, so short jobs never wait for long ones. */
export type JobQueue = 'short' | 'long'
export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed'

/** A background job; one row per kind and subject. See `jobs/`. */
export interface JobRow {
  id: string
  kind: JobKind
  /** SHA-256 of a file for `conversion` and `settling`, content id for `thumbnail`. */
  subject: string
  status: JobStatus
  /** Thousandths of the whole job. */
  progress: number
  /** Key of the failure message: `job.<error>`. */
  error: string | null
  attempts: number
  /** When the job may be claimed, or when the current lease ends. Null once the job has ended. */
  due_at: number | null
  /** Random token of the worker that holds the job. */
  lease: string | null
  /** User whose turn the job takes; empty for the server's own jobs. */
  owner_id: string
  queue: JobQueue
  /** Estimated processor time in milliseconds. An owner's shortest job comes first. */
  expected_ms: number
  /** Processor time used so far, in milliseconds. */
  cpu_ms: number
  created_at: number
  updated_at: number
}

/** The last turn of an owner in a queue. The owner with the lowest number is next. */
export interface JobTurnRow {
  kind: JobKind
  queue: JobQueue
  owner_id: string
  turn: number
}

/** Processor time of an owner's jobs on the last day on which any of them ran. */
export interface JobUsageRow {
  owner_id: string
  /** Days since the epoch, in UTC. */
  day: number
  used_ms: number
}

/** A file made by converting a video or audio file: a playable version, or a WebP poster. */
export interface RenditionRow {
  file_sha256: string
  position: number
  path: string
  mime_type: string
  /** Null for renditions of earlier versions. */
  size_bytes: number | null
  width: number | null
  height: number | null
}

export type Runtime = 'html5' | 'wasm' | 'swf'

/** Properties of an uploaded game file. */
export interface BundleRow {
  file_sha256: string
  runtime: Runtime
  /** Page that starts an HTML5 game; null for other runtimes. */
  entry: string | null
  /** JSON of the properties read from the file's header. */
  facts: string
}

/** A file of an unpacked bundle. The store names it only by its position. */
export interface BundleFileRow {
  bundle_sha256: string
  path: string
  position: number
  mime_type: string
  size_bytes: number
}
