/** Rows of stored files, background work and games. */
import type { Flag } from './flag.ts'

/** Stored bytes, once however often they are uploaded. */
export interface FileRow {
  /** Of the stored bytes, in hex. */
  sha256: string
  /** In the store, and below `/uploads/`. */
  path: string
  mime_type: string
  size_bytes: number
  width: number | null
  height: number | null
  duration_ms: number | null
  /** Of a file of sound: aac, opus, pcm-s16 …; null for other files, and where browsers know it not. */
  audio_codec: string | null
  /** A WebP of a picture; null for what is no picture. */
  thumbnail_path: string | null
  /** Bytes of the file, its thumbnail and the files of its bundle. */
  stored_bytes: number
  /** Bytes of everything that conversions made of the file. */
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

/** Background work, one row for each kind and subject: see jobs/. */
export interface JobRow {
  id: string
  kind: JobKind
  /** A file's SHA-256 for a conversion and for settling its works, a work's id for a thumbnail. */
  subject: string
  status: JobStatus
  /** Thousandths. */
  progress: number
  /** Which message of the catalogue tells why it failed: `job.<error>`. */
  error: string | null
  attempts: number
  /** When it may be claimed: at once or after a pause, or when the lease ends; null once it is over. */
  due_at: number | null
  /** Random: proves who holds the job. */
  lease: string | null
  /** User whose turn the job uses; empty for the server's own jobs. */
  owner_id: string
  queue: JobQueue
  /** Estimate of the processor time, in milliseconds: the shortest of an owner comes first. */
  expected_ms: number
  /** Processor time used so far, in milliseconds. */
  cpu_ms: number
  created_at: number
  updated_at: number
}

/** The last turn of an owner in a queue; owners with the lowest number are next. */
export interface JobTurnRow {
  kind: JobKind
  queue: JobQueue
  owner_id: string
  turn: number
}

/** Processor time that an owner's jobs used on the last day on which one ran. */
export interface JobUsageRow {
  owner_id: string
  /** Days since the epoch, in UTC. */
  day: number
  used_ms: number
}

/** What a conversion made of a video or sound: forms of it to play, and a WebP that shows it. */
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

/** What an uploaded game file is. */
export interface BundleRow {
  file_sha256: string
  runtime: Runtime
  /** Page that starts an HTML5 game; null for others. */
  entry: string | null
  /** JSON of what its header tells. */
  facts: string
}

/** A file of an unpacked bundle; in the store it is known by its position alone. */
export interface BundleFileRow {
  bundle_sha256: string
  path: string
  position: number
  mime_type: string
  size_bytes: number
}
