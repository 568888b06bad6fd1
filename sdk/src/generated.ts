/** Written by `npm run sdk` from openapi.json. */

/** Codes may be added */
export type ErrorCode =
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'CONTENT_NOT_FOUND'
  | 'COMMENT_NOT_FOUND'
  | 'NOTIFICATION_NOT_FOUND'
  | 'CONVERSATION_NOT_FOUND'
  | 'CREATOR_NOT_FOUND'
  | 'ROUTE_NOT_FOUND'
  | 'VALIDATION_ERROR'
  | 'CANNOT_FOLLOW_SELF'
  | 'SELF_ACTION_FORBIDDEN'
  | 'NOT_IMPLEMENTED'
  | 'CAPTCHA_NOT_CONFIGURED'
  | 'METHOD_NOT_ALLOWED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PAYLOAD_TOO_LARGE'
  | 'BAD_REQUEST'
  | 'HEADERS_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'INVALID_CREDENTIALS'
  | 'ACCOUNT_SUSPENDED'
  | 'HANDLE_TAKEN'
  | 'EMAIL_TAKEN'
  | 'LEGACY_ACCOUNT_CONFLICT'
  | 'REQUEST_IN_PROGRESS'
  | 'LAST_ADMIN'
  | 'CONTENT_ARCHIVED'
  | 'PEER_UNAVAILABLE'
  | 'STORAGE_FULL'
  | 'LIMIT_REACHED'
  | 'QUOTA_EXCEEDED'
  | 'CAPTCHA_REQUIRED'
  | 'CAPTCHA_INVALID'
  | 'SESSION_NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'POST_NOT_FOUND'
  | 'GAME_NOT_FOUND'
  | 'UPLOAD_NOT_FOUND'
  | 'APP_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'DELIVERY_NOT_FOUND'
  | 'INSUFFICIENT_SCOPE'
  | 'NOT_CONTENT_AUTHOR'
  | 'CONTENT_NOT_READY'
  | 'GAME_RUNTIME_MISMATCH'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR'

export interface Failure {
  success: false
  error: {
    code: ErrorCode
    /** In the language of the request */
    message: string
    /** With `VALIDATION_ERROR`: every field that is wrong; with `UNSUPPORTED_MEDIA_TYPE`: the file of an upload */
    details?: {
      /** A path such as `redirect_uris.1` */
      field: string
      message: string
    }[]
  }
  meta: Meta
}

export interface Meta {
  /** `req_` and the UUID of the `X-Request-ID` header */
  request_id: string
  timestamp: string
  version: 'v1'
}

export interface Account {
  id: string
  handle: string
  email: string
  display_name: string
  bio: string | null
  avatar_url: string | null
  role: 'user' | 'admin' | (string & {})
  created_at: string
  storage: StorageInfo
}

export interface Activity {
  /** Works that are not archived */
  content_count: number
  /** Comments that are not deleted */
  comment_count: number
  /** Posts and replies that are not deleted */
  post_count: number
  /** Likes given, to works and posts */
  like_count: number
  follower_count: number
  following_count: number
  /** Sessions that are open now */
  session_count: number
}

export interface AdminUser {
  id: string
  handle: string
  email: string
  display_name: string
  avatar_url: string | null
  role: 'user' | 'admin' | (string & {})
  is_suspended: boolean
  suspended_at: string | null
  suspension_reason: string | null
  created_at: string
  last_seen_at: string | null
}

export interface AdminUserDetail {
  id: string
  handle: string
  email: string
  display_name: string
  avatar_url: string | null
  role: 'user' | 'admin' | (string & {})
  is_suspended: boolean
  suspended_at: string | null
  suspension_reason: string | null
  created_at: string
  last_seen_at: string | null
  activity: Activity
  storage: StorageInfo
}

export interface ApiKey {
  id: string
  app_id: string
  key_name: string
  /** What a test key creates is stored as a draft */
  environment: 'live' | 'test' | (string & {})
  /** How the raw key begins */
  key_prefix: string
  /** How the raw key ends */
  last_four: string
  /** The key may do what its app allows too */
  scopes: (
    | 'contents:read'
    | 'contents:write'
    | 'jump:read'
    | 'jump:write'
    | 'posts:read'
    | 'profile:read'
    | 'webhooks:manage'
    | (string & {})
  )[]
  /** To the minute */
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
  created_at: string
}

export interface App {
  id: string
  app_name: string
  app_type: 'web' | 'mobile' | 'server' | 'cli' | 'game' | (string & {})
  description: string | null
  redirect_uris: string[]
  /** What keys of the app may be allowed */
  scopes: (
    | 'contents:read'
    | 'contents:write'
    | 'jump:read'
    | 'jump:write'
    | 'posts:read'
    | 'profile:read'
    | 'webhooks:manage'
    | (string & {})
  )[]
  created_at: string
  updated_at: string
}

export interface AuditEntry {
  id: string
  /** Null where the operator acted on the command line */
  actor: UserRef | null
  action:
    | 'role_changed'
    | 'suspended'
    | 'suspension_reason_changed'
    | 'suspension_lifted'
    | 'job_ended'
    | (string & {})
  before: Standing
  after: Standing
  reason: string | null
  /** `meta.request_id` of the change; null for the operator */
  request_id: string | null
  created_at: string
}

export interface BookmarkResult {
  is_bookmarked: boolean
  bookmark_count: number
}

export interface Bundle {
  runtime: 'html5' | 'wasm' | 'swf' | (string & {})
  /** Page that starts the game unless `game.entry` names another */
  entry: string | null
  /** HTML pages of an archive, at most 100 */
  pages: string[]
  /** Why the game may not start, at most 20 */
  warnings: BundleWarning[]
}

export interface BundleWarning {
  code: 'absolute_path' | (string & {})
  /** Absolute path, not found on the games origin */
  path: string
  /** File of the bundle that names it */
  file: string
}

/** A challenge of ALTCHA, proof of work version 2 */
export interface CaptchaChallenge {
  parameters: {
    algorithm: string
    nonce: string
    salt: string
    cost: number
    keyLength: number
    keyPrefix: string
    keySignature?: string
    /** Epoch seconds */
    expiresAt: number
  }
  signature: string
}

export interface Comment {
  id: string
  content_id: string
  parent_id: string | null
  /** The top-level comment a reply is below; null for a top-level one */
  root_id: string | null
  /** Null once deleted */
  author: UserRef | null
  /** Empty once deleted */
  body: string
  /** True where it only keeps a place for its replies */
  is_deleted: boolean
  /** Direct replies that are not deleted */
  reply_count: number
  created_at: string
  updated_at: string
}

export interface Content {
  id: string
  category: 'hype' | 'swipe' | 'jump' | (string & {})
  type: 'video' | 'image' | 'audio' | 'article' | 'game' | (string & {})
  title: string
  description: string | null
  tags: string[]
  status: 'draft' | 'processing' | 'published' | 'archived' | (string & {})
  creator: UserRef
  media: Media[]
  thumbnail_url: string | null
  game: GameInfo | null
  like_count: number
  bookmark_count: number
  comment_count: number
  view_count: number
  play_count: number
  is_liked: boolean
  is_bookmarked: boolean
  /** Null until it is published */
  published_at: string | null
  created_at: string
  updated_at: string
}

export interface ContentDetail {
  id: string
  category: 'hype' | 'swipe' | 'jump' | (string & {})
  type: 'video' | 'image' | 'audio' | 'article' | 'game' | (string & {})
  title: string
  description: string | null
  tags: string[]
  status: 'draft' | 'processing' | 'published' | 'archived' | (string & {})
  creator: UserRef
  media: Media[]
  thumbnail_url: string | null
  game: GameInfo | null
  like_count: number
  bookmark_count: number
  comment_count: number
  view_count: number
  play_count: number
  is_liked: boolean
  is_bookmarked: boolean
  /** Null until it is published */
  published_at: string | null
  created_at: string
  updated_at: string
  /** Text of an article; null for other types */
  body: string | null
}

export interface Conversation {
  id: string
  peer: UserRef
  last_message: Message | null
  /** Messages of the peer that the caller has not read */
  unread_count: number
  created_at: string
  /** Latest activity */
  updated_at: string
}

export interface Conversion {
  /** `not_required`: nothing is converted, `media` is what there is to play. `completed`: `renditions` are there. `failed`: one of the files cannot be converted, and a work that waited is a draft again */
  status: 'not_required' | 'queued' | 'processing' | 'completed' | 'failed' | (string & {})
  /** The mean of the files; 1 where nothing is converted */
  progress: number
  /** Of the files that are converted */
  renditions: {
    url: string
    mime_type: string
    width: number | null
    height: number | null
  }[]
  /** Why it failed, in the language of the request; null unless it did */
  error: string | null
  /** The creation of the work where nothing is converted */
  updated_at: string | null
}

export interface Creator {
  id: string
  handle: string
  display_name: string
  avatar_url: string | null
  bio: string | null
  is_following: boolean
  follower_count: number
  following_count: number
  /** Public works */
  content_count: number
  created_at: string
}

export interface Delivery {
  id: string
  /** Sent as `webhook-id` with every attempt */
  event_id: string
  /** Event kind; `webhook.test` for a test */
  event: string
  status: 'pending' | 'delivered' | 'failed' | (string & {})
  attempt_count: number
  attempts: DeliveryAttempt[]
  /** Null when the delivery has ended */
  next_attempt_at: string | null
  created_at: string
}

export interface DeliveryAttempt {
  at: string
  response_status: number | null
  /** First 2 KiB of the response body; null without a response */
  response_body: string | null
  /** Null after success; otherwise `dns`, `connect`, `tls`, `timeout`, `blocked_address`, `redirect` or `http_status` */
  error: string | null
  duration_ms: number
}

export interface EventType {
  name:
    | 'content.published'
    | 'content.updated'
    | 'content.archived'
    | 'content.liked'
    | 'comment.created'
    | 'creator.followed'
    | 'jump.play'
    | (string & {})
  /** In the language of the request */
  description: string
  /** Sample request body */
  sample: Record<string, unknown>
}

export interface Feed {
  feeds: Content[]
  pagination: Pagination
}

export interface FlashFilm {
  /** Signed: whoever has it may use it until `expires_at` */
  url: string
  player: 'ruffle' | (string & {})
  size_bytes: number
  expires_at: string
}

export interface FollowResult {
  is_following: boolean
  follower_count: number
}

export interface GameInfo {
  /** Decided by the bundle; null without one */
  runtime: 'html5' | 'wasm' | 'swf' | (string & {}) | null
  /** Page of the bundle that starts the game */
  entry: string | null
  orientation: 'landscape' | 'portrait' | 'any' | (string & {}) | null
  /** How the game is controlled */
  controls: string | string[] | null
}

export interface GameStream {
  /** Signed: whoever has it may use it until `expires_at` */
  url: string
  mime_type: string
  size_bytes: number
  expires_at: string
}

export interface Health {
  status: 'ok' | 'degraded' | (string & {})
  version: string
  uptime_s: number
  checks: {
    database: 'ok' | 'failed' | (string & {})
    storage: 'ok' | 'failed' | (string & {})
    jobs: 'ok' | 'failed' | (string & {})
  }
}

export interface LegacyKey {
  id: string
  key_name: string
  /** How the raw key begins */
  key_prefix: string
  /** How the raw key ends */
  last_four: string
  /** To the minute */
  last_used_at: string | null
  created_at: string
}

export interface LikeResult {
  is_liked: boolean
  like_count: number
}

export interface Media {
  upload_id: string
  /** The best rendition of a converted video or sound, without its metadata; otherwise the uploaded file */
  url: string
  /** The uploaded file; null for viewers other than the author */
  original_url: string | null
  /** Type of the file at `url`, as are the sizes */
  mime_type: string
  width: number | null
  height: number | null
  duration_ms: number | null
  size_bytes: number
}

export interface Message {
  id: string
  conversation_id: string
  sender_id: string
  body: string
  /** True once the one it was sent to has read it */
  is_read: boolean
  client_message_id: string | null
  created_at: string
}

export interface Notification {
  id: string
  type: 'like' | 'comment' | 'follow' | 'mention' | 'system' | (string & {})
  /** Who acted; null where the platform itself speaks */
  actor: UserRef | null
  /** In the language of the request */
  message: string
  /** Path of what it is about */
  link: string | null
  is_read: boolean
  created_at: string
}

export interface Pagination {
  page: number
  per_page: number
  total: number
  total_pages: number
  has_next: boolean
  has_prev: boolean
}

export interface People {
  users: Person[]
  pagination: Pagination
}

export interface Person {
  id: string
  handle: string
  display_name: string
  avatar_url: string | null
  /** By the caller */
  is_following: boolean
}

export interface Play {
  id: string
  game_id: string
  runtime: 'html5' | 'wasm' | 'swf' | (string & {})
  /** A page to show in a frame. Signed: whoever has it may use it until `expires_at` */
  launch_url: string
  expires_at: string
}

export interface Post {
  id: string
  /** Null once deleted */
  author: UserRef | null
  /** Empty once deleted */
  body: string
  parent_id: string | null
  /** The post a thread began with; null for that post itself */
  root_id: string | null
  /** Direct replies that are not deleted */
  reply_count: number
  like_count: number
  /** By the caller */
  is_liked: boolean
  /** True where it only keeps a place for its replies */
  is_deleted: boolean
  created_at: string
}

export interface Scope {
  name:
    | 'contents:read'
    | 'contents:write'
    | 'jump:read'
    | 'jump:write'
    | 'posts:read'
    | 'profile:read'
    | 'webhooks:manage'
    | (string & {})
  resource: string
  action: string
  /** In the language of the request */
  description: string
}

export interface Session {
  id: string
  user_agent: string | null
  ip: string | null
  created_at: string
  last_seen_at: string
  expires_at: string
  is_current: boolean
}

export interface Standing {
  role: 'user' | 'admin' | (string & {})
  is_suspended: boolean
  suspension_reason: string | null
}

export interface StorageInfo {
  /** Stored bytes of all uploads, with everything that was made of them */
  used_bytes: number
  /** Null: unlimited */
  quota_bytes: number | null
}

export interface ThumbnailJob {
  /** Null while there was none */
  id: string | null
  status: 'none' | 'queued' | 'processing' | 'completed' | 'failed' | (string & {})
  /** The picture that is shown now */
  thumbnail_url: string | null
  error: string | null
  updated_at: string | null
}

export interface Tokens {
  access_token: string
  /** `null` where it was set as a cookie */
  refresh_token: string | null
  token_type: 'Bearer'
  /** Seconds */
  expires_in: number
}

export interface Upload {
  id: string
  /** On this server: anybody may read it there */
  url: string
  /** Told by the leading bytes */
  mime_type: string
  /** Of the file as it is stored and served */
  size_bytes: number
  /** Of the file as it is stored and served, in hex */
  sha256: string
  width: number | null
  height: number | null
  duration_ms: number | null
  created_at: string
  /** Of a game file; else null */
  bundle: Bundle | null
}

export interface UserRef {
  id: string
  handle: string
  display_name: string
  avatar_url: string | null
}

export interface WasmContract {
  version: number
  isolation: WasmIsolation
  limits: WasmLimits
  /** What a module may import, with these types; nothing else */
  allowed_imports: WasmImport[]
}

export interface WasmImport {
  module: string
  name: string
  kind: 'function' | (string & {})
  params: ('i32' | 'f64' | (string & {}))[]
  results: ('i32' | 'f64' | (string & {}))[]
}

/** Where modules run, and what they reach from there */
export interface WasmIsolation {
  runs_in: string
  origin: string
  network: boolean
  storage: boolean
  document: boolean
  threads: boolean
  other_windows: boolean
}

/** Of a module. A memory or table without a maximum is given the largest one that is allowed */
export interface WasmLimits {
  max_module_bytes: number
  max_memories: number
  max_memory_pages: number
  max_tables: number
  max_table_elements: number
  max_types: number
  max_params: number
  max_results: number
  max_imports: number
  max_functions: number
  max_function_bytes: number
  max_function_locals: number
  max_locals: number
  max_globals: number
  max_exports: number
  max_element_segments: number
  max_element_entries: number
  max_data_segments: number
  max_custom_sections: number
  max_name_bytes: number
}

export interface Webhook {
  id: string
  app_id: string
  endpoint_url: string
  events: (
    | 'content.published'
    | 'content.updated'
    | 'content.archived'
    | 'content.liked'
    | 'comment.created'
    | 'creator.followed'
    | 'jump.play'
    | (string & {})
  )[]
  /** True when events are sent */
  is_active: boolean
  /** Failed attempts since the last successful one */
  failure_count: number
  created_at: string
}

/** What each operation takes, what it gives, and what the lists among them are lists of. */
export interface Operations {
  /**
   * Check health.
   *
   * `degraded` means that files cannot be stored or background work has stopped. 503 means that the database cannot be reached; with `strict=true` it means that any check fails. The `details` of a 503 name the failing checks. Point uptime monitors at `?strict=true`.
   */
  checkHealth: {
    input: {
      /** `true` answers 503 unless every check is ok */
      strict?: 'true' | 'false'
    }
    data: Health
  }

  /** Ask for a proof-of-work challenge. */
  createChallenge: {
    input: Record<string, never>
    data: {
      challenge: CaptchaChallenge
      expires_at: string
    }
  }

  /**
   * Trade a solved challenge for a captcha token.
   *
   * A challenge serves once, and so does the token, for one account.
   */
  verifyCaptcha: {
    input: {
      /** The solved challenge as base64 of JSON, as ALTCHA makes it */
      payload: string
    }
    data: {
      verified: boolean
      captcha_token: string
      /** Seconds */
      expires_in: number
    }
  }

  /**
   * Open an account.
   *
   * With `X-Session-Cookie: 1` the refresh token is set as a cookie that scripts cannot read, and is `null` in the answer.
   */
  register: {
    input: {
      /** a-z, 0-9 and _; stored in lower case */
      handle: string
      email: string
      /** Stored as sent, in NFC; never trimmed. Common passwords are refused */
      password: string
      /** Has a visible character and no bidirectional control character */
      display_name?: string
      /** From `POST /captcha/verify`; without it the answer is `CAPTCHA_REQUIRED` */
      captcha_token?: string
    }
    data: {
      user: Account
      tokens: Tokens
    }
  }

  /**
   * Sign in with handle or e-mail.
   *
   * With `X-Session-Cookie: 1` the refresh token is set as a cookie that scripts cannot read, and is `null` in the answer.
   */
  login: {
    input: {
      /** Handle or e-mail */
      identifier: string
      password: string
    }
    data: {
      user: Account
      tokens: Tokens
    }
  }

  /**
   * Trade a refresh token for new tokens.
   *
   * Refresh tokens rotate. The one before is good for 30 more seconds and gives the same successor; an older one ends its session. With `X-Session-Cookie: 1` the token comes from the cookie where the body has none, and its successor is set as the cookie; 401 takes the cookie away.
   */
  refresh: {
    input: {
      /** Required, unless `X-Session-Cookie: 1` is sent */
      refresh_token?: string
    }
    data: {
      tokens: Tokens
    }
  }

  /**
   * End this session.
   *
   * With `X-Session-Cookie: 1` the cookie of the refresh token is taken away.
   */
  logout: {
    input: Record<string, never>
    data: void
  }

  /** Read your account. */
  requireAccount: {
    input: Record<string, never>
    data: {
      user: Account
    }
  }

  /**
   * Change your account.
   *
   * A new password or email needs the current password. A new password ends the other sessions; API keys keep working, and a `system` notification says how many.
   */
  updateMe: {
    input: {
      /** Has a visible character and no bidirectional control character */
      display_name?: string
      bio?: string | null
      /** A picture of yours; null takes it away */
      avatar_upload_id?: string | null
      email?: string
      /** Needed with `email` or `new_password` */
      current_password?: string
      /** Stored as sent, in NFC; never trimmed. Common passwords are refused */
      new_password?: string
    }
    data: {
      user: Account
    }
  }

  /** List your sessions. */
  listSessions: {
    input: Record<string, never>
    data: {
      sessions: Session[]
    }
  }

  /** End one of your sessions. */
  revokeSession: {
    input: {
      /** Id of the session */
      id: string
    }
    data: void
  }

  /** Sign in through another provider: not available. */
  oauth: {
    input: {
      /** Name of the provider */
      provider: string
    }
    data: void
  }

  /** Read the public profile of a creator. */
  getCreator: {
    input: {
      /** Handle of the creator, in any case */
      handle: string
    }
    data: {
      creator: Creator
    }
  }

  /** List the public works of a creator, newest first. */
  listCreatorContents: {
    input: {
      /** Handle of the creator, in any case */
      handle: string
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: Feed
    item: Content
  }

  /** List who follows a creator, the newest first. */
  listFollowers: {
    input: {
      /** Handle of the creator, in any case */
      handle: string
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: People
    item: Person
  }

  /** List whom a creator follows, the newest first. */
  listFollowing: {
    input: {
      /** Handle of the creator, in any case */
      handle: string
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: People
    item: Person
  }

  /** List public works of all categories. */
  listFeeds: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
      /** `latest` (or `recent`): newest first; `popular` (or `hot`): likes, bookmarks, comments and plays against age; `following`: newest first, works of followed creators only, needs a session. Default: "latest" */
      sort?: 'latest' | 'recent' | 'popular' | 'hot' | 'following'
      /** Only works with this tag; case does not matter */
      tag?: string
    }
    data: Feed
    item: Content
  }

  /** List public works of any length. */
  listHypeFeed: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
      /** `latest` (or `recent`): newest first; `popular` (or `hot`): likes, bookmarks, comments and plays against age; `following`: newest first, works of followed creators only, needs a session. Default: "latest" */
      sort?: 'latest' | 'recent' | 'popular' | 'hot' | 'following'
      /** Only works with this tag; case does not matter */
      tag?: string
    }
    data: Feed
    item: Content
  }

  /** List public short vertical works. */
  listSwipeFeed: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
      /** `latest` (or `recent`): newest first; `popular` (or `hot`): likes, bookmarks, comments and plays against age; `following`: newest first, works of followed creators only, needs a session. Default: "latest" */
      sort?: 'latest' | 'recent' | 'popular' | 'hot' | 'following'
      /** Only works with this tag; case does not matter */
      tag?: string
    }
    data: Feed
    item: Content
  }

  /** List public games. */
  listJumpFeed: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
      /** `latest` (or `recent`): newest first; `popular` (or `hot`): likes, bookmarks, comments and plays against age; `following`: newest first, works of followed creators only, needs a session. Default: "latest" */
      sort?: 'latest' | 'recent' | 'popular' | 'hot' | 'following'
      /** Only works with this tag; case does not matter */
      tag?: string
    }
    data: Feed
    item: Content
  }

  /**
   * Create a work, published unless `publish` is false.
   *
   * A work whose media must be converted first is `processing`, and publishes itself when that is done. An API key of an app needs the scope `contents:write`, and `jump:write` too for a game. A test key stores a draft, whatever `publish` says.
   */
  createContent: {
    input: {
      /** `hype` takes video, image, audio, article; `swipe` takes video, image; `jump` takes game */
      category: 'hype' | 'swipe' | 'jump'
      /** `hype` takes video, image, audio, article; `swipe` takes video, image; `jump` takes game */
      type: 'video' | 'image' | 'audio' | 'article' | 'game'
      title: string
      description?: string | null
      /** Compared without regard to case; repeated ones are kept once */
      tags?: string[]
      /** Uploads of yours, each once, of kinds that belong to the type: video, pictures, sound; all three in an article; in a game a bundle and pictures */
      upload_ids?: string[]
      /** A picture of yours; null or nothing shows one made of the work itself */
      thumbnail_upload_id?: string | null
      /** Text of an article; for other types anything but null is 422 */
      body?: string | null
      /** Games only; the bundle decides the runtime */
      game?: {
        /** HTML5 only: a page of the bundle, which starts the game */
        entry?: string | null
        orientation?: 'landscape' | 'portrait' | 'any' | null
        /** How the game is controlled */
        controls?: string | string[] | null
      } | null
      /** False keeps it as a draft */
      publish?: boolean
    }
    data: {
      content: ContentDetail
    }
  }

  /** Read a work: a public one, or your own in any status. */
  readContent: {
    input: {
      /** Id of the content */
      id: string
    }
    data: {
      content: ContentDetail
    }
  }

  /** Change a work of yours, or publish a draft. */
  updateContent: {
    input: {
      /** Id of the content */
      id: string
      title?: string
      description?: string | null
      /** Compared without regard to case; repeated ones are kept once */
      tags?: string[]
      /** A picture of yours; null or nothing shows one made of the work itself */
      thumbnail_upload_id?: string | null
      /** Text of an article; for other types anything but null is 422 */
      body?: string | null
      /** Publishes a draft */
      status?: 'published'
    }
    data: {
      content: ContentDetail
    }
  }

  /** Archive a work of yours: it leaves every list but your own. */
  archiveContent: {
    input: {
      /** Id of the content */
      id: string
    }
    data: void
  }

  /**
   * See how far the media of a work are converted.
   *
   * Of all its media together. Where nothing is converted, because there is no video or the server has no ffmpeg, it is `not_required`.
   */
  readConversion: {
    input: {
      /** Id of the content */
      id: string
    }
    data: {
      conversion: Conversion
    }
  }

  /** List works to go on with after this one. */
  recommend: {
    input: {
      /** Id of the content */
      id: string
      /** Entries a page. Clamped to 1..50.. Default: 8 */
      limit?: number
      /** Entries to pass over. Clamped to 0..1000000000.. Default: 0 */
      offset?: number
    }
    data: {
      feeds: Content[]
      has_more: boolean
    }
    item: Content
  }

  /** List your own works, newest first; archived ones only when asked for. */
  listOwnContents: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
      /** Only works in this status; without it, all but the archived */
      status?: 'draft' | 'processing' | 'published' | 'archived'
    }
    data: Feed
    item: Content
  }

  /** The same list as /users/me/contents. */
  listAuthored: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
      /** Only works in this status; without it, all but the archived */
      status?: 'draft' | 'processing' | 'published' | 'archived'
    }
    data: Feed
    item: Content
  }

  /** List public works you like, the latest like first. */
  listOwnLikes: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: Feed
    item: Content
  }

  /** The same list as /users/me/likes. */
  listLiked: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: Feed
    item: Content
  }

  /** List public works you bookmarked, the latest bookmark first. */
  listOwnBookmarks: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: Feed
    item: Content
  }

  /** The same list as /users/me/bookmarks. */
  listBookmarked: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: Feed
    item: Content
  }

  /** List games, newest first. */
  listGames: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: {
      games: Content[]
      pagination: Pagination
    }
    item: Content
  }

  /** Read a game, with shelves of other games if asked for. */
  readGame: {
    input: {
      /** Id of the content */
      id: string
      /** Shelves to attach, separated by commas: `related`, `popular` */
      include?: string
    }
    data: {
      game: Content
      related?: Content[]
      popular?: Content[]
    }
  }

  /**
   * Play a game.
   *
   * Counts a play, and answers with the address of a page that plays the game.
   */
  playGame: {
    input: {
      /** Id of the content */
      id: string
    }
    data: {
      play: Play
    }
  }

  /** Get at the main file of a game: its bundle, module or film as it was uploaded. */
  streamGame: {
    input: {
      /** Id of the content */
      id: string
    }
    data: {
      stream: GameStream
    }
  }

  /** Get at the film of a Flash game, for a Ruffle player of your own. */
  readSwf: {
    input: {
      /** Id of the content */
      id: string
    }
    data: {
      swf: FlashFilm
    }
  }

  /**
   * Tell what WebAssembly games may be and may import.
   *
   * A module that does not keep to it is refused by `POST /uploads`. `docs/wasm-games.md` tells how to write one.
   */
  getWasmContract: {
    input: Record<string, never>
    data: WasmContract
  }

  /** See how the thumbnail of your game is coming along. */
  readThumbnailJob: {
    input: {
      /** Id of the content */
      id: string
    }
    data: {
      job: ThumbnailJob
    }
  }

  /**
   * Have the thumbnail of your game made anew.
   *
   * A picture of the running game, else one of its bundle, else a drawn one. It is shown unless you chose a thumbnail yourself.
   */
  startThumbnailJob: {
    input: {
      /** Id of the content */
      id: string
    }
    data: {
      job: ThumbnailJob
    }
  }

  /** Like a work, or take the like back. */
  toggleLike: {
    input: {
      /** Id of the content */
      id: string
    }
    data: LikeResult
  }

  /** Like a work; liking it again changes nothing. */
  setLike: {
    input: {
      /** Id of the content */
      id: string
    }
    data: LikeResult
  }

  /** Take the like of a work back, if there is one. */
  unsetLike: {
    input: {
      /** Id of the content */
      id: string
    }
    data: LikeResult
  }

  /** Bookmark a work, or take the bookmark back. */
  toggleBookmark: {
    input: {
      /** Id of the content */
      id: string
    }
    data: BookmarkResult
  }

  /** Bookmark a work; doing so again changes nothing. */
  setBookmark: {
    input: {
      /** Id of the content */
      id: string
    }
    data: BookmarkResult
  }

  /** Take the bookmark of a work back, if there is one. */
  unsetBookmark: {
    input: {
      /** Id of the content */
      id: string
    }
    data: BookmarkResult
  }

  /** Follow a creator, or stop following. */
  toggleFollow: {
    input: {
      /** Handle of the creator, in any case */
      handle: string
    }
    data: FollowResult
  }

  /** Follow a creator; doing so again changes nothing. */
  setFollow: {
    input: {
      /** Handle of the creator, in any case */
      handle: string
    }
    data: FollowResult
  }

  /** Stop following a creator, if you do. */
  unsetFollow: {
    input: {
      /** Handle of the creator, in any case */
      handle: string
    }
    data: FollowResult
  }

  /**
   * List the comments on a work.
   *
   * The list is flat, replies among the rest. A deleted comment that has replies keeps its place without text and author.
   */
  readComments: {
    input: {
      /** Id of the content */
      id: string
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
      /** Order of time. `oldest` only ever appends, so pages hold while others write. Default: "oldest" */
      sort?: 'oldest' | 'newest'
      /** `none`: top-level comments; an id: the direct replies to it */
      parent_id?: string
    }
    data: {
      comments: Comment[]
      pagination: Pagination
    }
    item: Comment
  }

  /** Comment on a work, or reply to a comment. */
  createComment: {
    input: {
      /** Id of the content */
      id: string
      body: string
      /** A comment on the same work: makes this a reply to it */
      parent_id?: string | null
    }
    data: {
      comment: Comment
    }
  }

  /** Change the text of your comment. */
  updateComment: {
    input: {
      /** Id of the comment */
      id: string
      body: string
    }
    data: {
      comment: Comment
    }
  }

  /** Delete your comment; its replies keep their place. */
  deleteComment: {
    input: {
      /** Id of the comment */
      id: string
    }
    data: void
  }

  /** Read the community timeline, newest first. */
  listFeed: {
    input: {
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      limit?: number
      /** Continue after this entry of the list */
      before?: string
      /** The newer posts next to this one; with `before`, those between the two */
      after?: string
    }
    data: {
      posts: Post[]
      /** What to send as `before` for the next page; null at the end */
      next_cursor: string | null
      /** What to send as `after` for newer posts; null on an empty page */
      prev_cursor: string | null
    }
    item: Post
  }

  /** List your posts and replies, newest first. */
  listMyPosts: {
    input: {
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      limit?: number
      /** Continue after this entry of the list */
      before?: string
    }
    data: {
      posts: Post[]
      /** What to send as `before` for the next page; null at the end */
      next_cursor: string | null
    }
    item: Post
  }

  /** Write a post. */
  createPost: {
    input: {
      body: string
    }
    data: {
      post: Post
    }
  }

  /** Read a post. */
  requirePost: {
    input: {
      /** Id of the post */
      id: string
    }
    data: {
      post: Post
    }
  }

  /** Delete your post; its replies keep their place. */
  deletePost: {
    input: {
      /** Id of the post */
      id: string
    }
    data: void
  }

  /**
   * Read a post with the posts above it and its replies, oldest first.
   *
   * A deleted post that has replies keeps its place without text and author. `before` takes the `next_cursor` of the page before. A page of very long replies may hold fewer than `limit`.
   */
  readThread: {
    input: {
      /** Id of the post */
      id: string
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      limit?: number
      /** Continue after this entry of the list */
      before?: string
    }
    data: {
      /** The nearest 50 posts above, oldest first; fewer where they are very long */
      ancestors: Post[]
      /** True where posts above the first one exist: read the thread of that one */
      has_more_ancestors: boolean
      post: Post
      /** Direct replies, oldest first */
      replies: Post[]
      /** What to send as `before` for the next page; null at the end */
      next_cursor: string | null
    }
    item: Post
  }

  /** Reply to a post. */
  replyToPost: {
    input: {
      /** Id of the post */
      id: string
      body: string
    }
    data: {
      post: Post
    }
  }

  /** Like a post; liking it again changes nothing. */
  likePost: {
    input: {
      /** Id of the post */
      id: string
    }
    data: LikeResult
  }

  /** Take a like back; without one nothing changes. */
  unlikePost: {
    input: {
      /** Id of the post */
      id: string
    }
    data: LikeResult
  }

  /**
   * Your notifications, newest first; reading the list marks nothing.
   *
   * Without a session the list is empty.
   */
  listNotifications: {
    input: {
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: {
      notifications: Notification[]
      /** Of all pages */
      unread_count: number
      pagination: Pagination
    }
    item: Notification
  }

  /**
   * How many of your notifications are unread: made to be polled.
   *
   * Without a session the count is 0.
   */
  countUnread: {
    input: Record<string, never>
    data: {
      unread_count: number
    }
  }

  /**
   * Mark all your notifications as read, or those up to one.
   *
   * With `up_to`, what arrived after that notification stays unread, so a client marks only what it has shown.
   */
  readAllNotifications: {
    input: {
      /** Id of the newest notification to mark; all of them without it */
      up_to?: string
    }
    data: {
      /** How many became read */
      updated: number
    }
  }

  /** Mark one of your notifications as read. */
  readNotification: {
    input: {
      /** Id of the notification */
      id: string
    }
    data: {
      id: string
      is_read: boolean
    }
  }

  /**
   * List your conversations by latest activity.
   *
   * An empty conversation is listed for those who created it. One that moves while you walk the list may come again; none is skipped.
   */
  listConversations: {
    input: {
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      limit?: number
      /** Continue after this entry of the list */
      before?: string
    }
    data: {
      conversations: Conversation[]
      /** What to send as `before` for the next page; null at the end */
      next_cursor: string | null
    }
    item: Conversation
  }

  /**
   * Open the conversation with a person.
   *
   * Two people have one conversation: an existing one is returned. `user_id` comes before `handle`.
   */
  createConversation: {
    input: {
      /** The peer */
      user_id?: string | null
      /** The peer, where `user_id` is absent */
      handle?: string | null
    }
    data: {
      conversation: Conversation
    }
  }

  /** List messages, the newest page first and oldest first within it. */
  listMessages: {
    input: {
      /** Id of the conversation */
      id: string
      /** Entries a page. Clamped to 1..100.. Default: 50 */
      limit?: number
      /** Continue after this entry of the list */
      before?: string
    }
    data: {
      messages: Message[]
      /** What to send as `before` for the next page; null at the end */
      next_cursor: string | null
    }
    item: Message
  }

  /** Send a message. */
  sendMessage: {
    input: {
      /** Id of the conversation */
      id: string
      body: string
      /** Makes a retry safe: the same id with the same text is one message */
      client_message_id?: string | null
    }
    data: {
      message: Message
    }
  }

  /** Mark all messages of a conversation as read. */
  readConversation: {
    input: {
      /** Id of the conversation */
      id: string
    }
    data: {
      /** Messages that were unread until now */
      marked_count: number
    }
  }

  /** List your apps, newest first. */
  listApps: {
    input: Record<string, never>
    data: {
      apps: App[]
    }
  }

  /** Register an app. */
  createApp: {
    input: {
      app_name: string
      app_type: 'web' | 'mobile' | 'server' | 'cli' | 'game'
      description?: string | null
      /** Each https, or http on 127.0.0.0/8, [::1] or localhost; no fragment, credentials or wildcard */
      redirect_uris?: string[]
      /** What keys of the app may be allowed; `GET /devconsole/scopes` lists all; none unless given */
      scopes?: (
        | 'contents:read'
        | 'contents:write'
        | 'jump:read'
        | 'jump:write'
        | 'posts:read'
        | 'profile:read'
        | 'webhooks:manage'
      )[]
    }
    data: {
      app: App
    }
  }

  /** Read an app of yours. */
  readApp: {
    input: {
      /** Id of the app */
      app_id: string
    }
    data: {
      app: App
    }
  }

  /**
   * Change an app of yours.
   *
   * A key may do what both it and its app allow, so fewer scopes here hold for its keys at once.
   */
  updateApp: {
    input: {
      /** Id of the app */
      app_id: string
      app_name?: string
      app_type?: 'web' | 'mobile' | 'server' | 'cli' | 'game'
      description?: string | null
      /** Each https, or http on 127.0.0.0/8, [::1] or localhost; no fragment, credentials or wildcard */
      redirect_uris?: string[]
      /** What keys of the app may be allowed; `GET /devconsole/scopes` lists all */
      scopes?: (
        | 'contents:read'
        | 'contents:write'
        | 'jump:read'
        | 'jump:write'
        | 'posts:read'
        | 'profile:read'
        | 'webhooks:manage'
      )[]
    }
    data: {
      app: App
    }
  }

  /** Delete an app of yours and revoke its keys. */
  deleteApp: {
    input: {
      /** Id of the app */
      app_id: string
    }
    data: void
  }

  /**
   * List the keys of an app, newest first.
   *
   * All that work, and the newest 100 of those that were revoked or have expired.
   */
  listKeys: {
    input: {
      /** Id of the app */
      app_id: string
    }
    data: {
      keys: ApiKey[]
    }
  }

  /** Make a key of an app; its raw value is shown in this answer only. */
  createKey: {
    input: {
      /** Id of the app */
      app_id: string
      key_name: string
      /** What a test key creates is stored as a draft */
      environment: 'live' | 'test'
      /** Some of those of the app; all of them unless given */
      scopes?: (
        | 'contents:read'
        | 'contents:write'
        | 'jump:read'
        | 'jump:write'
        | 'posts:read'
        | 'profile:read'
        | 'webhooks:manage'
      )[]
      /** In the future; null for a key without an end */
      expires_at?: string | null
    }
    data: {
      key: ApiKey
      /** Shown in this answer only; null when it is replayed */
      raw_key: string | null
    }
  }

  /** Revoke a key of an app, at once; again changes nothing. */
  revokeKey: {
    input: {
      /** Id of the key */
      key_id: string
    }
    data: void
  }

  /**
   * Replace a key by a new one with the same name, environment, scopes and end.
   *
   * The old key ends at once, or works on for `overlap_seconds`. One that has ended already is 404.
   */
  rotateKey: {
    input: {
      /** Id of the key */
      key_id: string
      /** How long the old key still works; 0 unless given */
      overlap_seconds?: number
    }
    data: {
      key: ApiKey
      /** Shown in this answer only; null when it is replayed */
      raw_key: string | null
    }
  }

  /** List the scopes that apps and keys may have. */
  listScopes: {
    input: Record<string, never>
    data: {
      scopes: Scope[]
    }
  }

  /** List the event kinds that webhooks can subscribe to, each with a sample. */
  listEventTypes: {
    input: Record<string, never>
    data: {
      event_types: EventType[]
    }
  }

  /** List the webhooks of an app, newest first. */
  listWebhooks: {
    input: {
      /** Id of the app */
      app_id: string
    }
    data: {
      webhooks: Webhook[]
    }
  }

  /** Create a webhook. Its secrets appear only in this response. */
  createWebhook: {
    input: {
      /** Id of the app */
      app_id: string
      /** http or https URL without credentials or fragment */
      endpoint_url: string
      /** Event kinds from `GET /devconsole/event-types` */
      events: (
        | 'content.published'
        | 'content.updated'
        | 'content.archived'
        | 'content.liked'
        | 'comment.created'
        | 'creator.followed'
        | 'jump.play'
      )[]
    }
    data: {
      webhook: Webhook
      /** Sent as X-Service-Secret. Only in this response; null when it is replayed */
      secret: string | null
      /** Signs each request (Standard Webhooks). Only in this response; null when it is replayed */
      signing_secret: string | null
    }
  }

  /**
   * Change, disable or enable a webhook.
   *
   * Disabling fails pending deliveries. Enabling, or changing the endpoint, resets the failure count.
   */
  updateWebhook: {
    input: {
      /** Id of the webhook */
      webhook_id: string
      /** http or https URL without credentials or fragment */
      endpoint_url?: string
      /** Event kinds from `GET /devconsole/event-types` */
      events?: (
        | 'content.published'
        | 'content.updated'
        | 'content.archived'
        | 'content.liked'
        | 'comment.created'
        | 'creator.followed'
        | 'jump.play'
      )[]
      /** False disables the webhook and fails pending deliveries; true enables it and resets the failure count */
      is_active?: boolean
    }
    data: {
      webhook: Webhook
    }
  }

  /** Delete a webhook. */
  deleteWebhook: {
    input: {
      /** Id of the webhook */
      webhook_id: string
    }
    data: void
  }

  /**
   * Replace both secrets of a webhook.
   *
   * `X-Service-Secret` changes at once. For 24 hours, requests are also signed with the old signing secret.
   */
  rotateSecrets: {
    input: {
      /** Id of the webhook */
      webhook_id: string
    }
    data: {
      webhook: Webhook
      /** Sent as X-Service-Secret. Only in this response; null when it is replayed */
      secret: string | null
      /** Signs each request (Standard Webhooks). Only in this response; null when it is replayed */
      signing_secret: string | null
    }
  }

  /**
   * Send a test event now and return the result.
   *
   * Makes one attempt, even when the webhook is disabled. The response waits for it, up to ten seconds. A webhook can have one test at a time. Tests and redeliveries together are limited to 60 a minute for a user.
   */
  testWebhook: {
    input: {
      /** Id of the webhook */
      webhook_id: string
    }
    data: {
      delivery: Delivery
    }
  }

  /**
   * List the deliveries of a webhook, newest first.
   *
   * Deliveries are stored for 30 days after they end.
   */
  listDeliveries: {
    input: {
      /** Id of the webhook */
      webhook_id: string
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: {
      deliveries: Delivery[]
      pagination: Pagination
    }
    item: Delivery
  }

  /**
   * Send an event again now as a new delivery.
   *
   * Sends the same `webhook-id` and body. The response waits for the first attempt, up to ten seconds. If it fails, retries follow as for any delivery.
   */
  redeliver: {
    input: {
      /** Id of the webhook */
      webhook_id: string
      /** Id of the delivery */
      delivery_id: string
    }
    data: {
      delivery: Delivery
    }
  }

  /** List your legacy keys that work, newest first. */
  listLegacyKeys: {
    input: Record<string, never>
    data: {
      keys: LegacyKey[]
    }
  }

  /** Make a legacy key; its raw value is shown in this answer only. */
  createLegacyKey: {
    input: {
      key_name: string
    }
    data: {
      key: LegacyKey
      /** Shown in this answer only; null when it is replayed */
      raw_key: string | null
    }
  }

  /** Revoke a legacy key, at once; again changes nothing. */
  revokeLegacyKey: {
    input: {
      /** Id of the key */
      id: string
    }
    data: void
  }

  /** Search members, newest first. */
  listUsers: {
    input: {
      /** Text that handle, display name, e-mail or id holds, without regard to case */
      q?: string
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: {
      users: AdminUser[]
      pagination: Pagination
    }
    item: AdminUser
  }

  /** Read a member and how much that person has done. */
  readUser: {
    input: {
      /** Id of the user */
      id: string
    }
    data: {
      user: AdminUserDetail
    }
  }

  /**
   * Change a member's role or suspension.
   *
   * A suspension ends the sessions at once and hides the person and the works; lifting it restores all but the sessions. Either everything asked for is done or nothing.
   */
  updateUser: {
    input: {
      /** Id of the user */
      id: string
      role?: 'user' | 'admin'
      is_suspended?: boolean
      /** Why; kept with the suspension and in the audit log */
      reason?: string | null
    }
    data: {
      user: AdminUser
    }
  }

  /** List what administrators changed about a member, newest first. */
  listAuditEntries: {
    input: {
      /** Id of the user */
      id: string
      /** Page, from 1. Clamped to 1..1000000000.. Default: 1 */
      page?: number
      /** Entries a page. Clamped to 1..100.. Default: 20 */
      per_page?: number
    }
    data: {
      audit: AuditEntry[]
      pagination: Pagination
    }
    item: AuditEntry
  }
}

/**
 * How each operation is called: method and path, below `/api/v1` unless it begins with `/api/`; then
 * `public` where a session means nothing to it, `json` where it has a body, `twice:` a field that goes
 * into the path and the body, `once` where it takes an `Idempotency-Key`, how a list goes on, and
 * `reversed` where its pages are in another order than their entries.
 */
export const operations: Record<keyof Operations, string> = {
  checkHealth: 'GET /api/health public',
  createChallenge: 'POST /captcha/challenge public',
  verifyCaptcha: 'POST /captcha/verify public json',
  register: 'POST /auth/register public json',
  login: 'POST /auth/login public json',
  refresh: 'POST /auth/refresh public json',
  logout: 'POST /auth/logout once',
  requireAccount: 'GET /auth/me',
  updateMe: 'PATCH /auth/me json',
  listSessions: 'GET /auth/sessions',
  revokeSession: 'DELETE /auth/sessions/{id}',
  oauth: 'POST /auth/oauth/{provider} public',
  getCreator: 'GET /creators/{handle}',
  listCreatorContents: 'GET /creators/{handle}/contents page:feeds',
  listFollowers: 'GET /creators/{handle}/followers page:users',
  listFollowing: 'GET /creators/{handle}/following page:users',
  listFeeds: 'GET /feeds page:feeds',
  listHypeFeed: 'GET /feeds/hype page:feeds',
  listSwipeFeed: 'GET /feeds/swipe page:feeds',
  listJumpFeed: 'GET /feeds/jump page:feeds',
  createContent: 'POST /contents json once',
  readContent: 'GET /contents/{id}',
  updateContent: 'PATCH /contents/{id} json',
  archiveContent: 'DELETE /contents/{id}',
  readConversion: 'GET /contents/{id}/conversion',
  recommend: 'GET /contents/{id}/recommendations offset:feeds',
  listOwnContents: 'GET /users/me/contents page:feeds',
  listAuthored: 'GET /users/me/authored page:feeds',
  listOwnLikes: 'GET /users/me/likes page:feeds',
  listLiked: 'GET /users/me/liked page:feeds',
  listOwnBookmarks: 'GET /users/me/bookmarks page:feeds',
  listBookmarked: 'GET /users/me/bookmarked page:feeds',
  listGames: 'GET /jump/games page:games',
  readGame: 'GET /jump/games/{id}',
  playGame: 'POST /jump/games/{id}/play json twice:id once',
  streamGame: 'POST /jump/games/{id}/stream json twice:id once',
  readSwf: 'POST /jump/games/{id}/swf json twice:id once',
  getWasmContract: 'GET /api/wasm/contract public',
  readThumbnailJob: 'GET /contents/{id}/thumbnail-job',
  startThumbnailJob: 'POST /contents/{id}/thumbnail-job once',
  toggleLike: 'POST /contents/{id}/like once',
  setLike: 'PUT /contents/{id}/like',
  unsetLike: 'DELETE /contents/{id}/like',
  toggleBookmark: 'POST /contents/{id}/bookmark once',
  setBookmark: 'PUT /contents/{id}/bookmark',
  unsetBookmark: 'DELETE /contents/{id}/bookmark',
  toggleFollow: 'POST /creators/{handle}/follow once',
  setFollow: 'PUT /creators/{handle}/follow',
  unsetFollow: 'DELETE /creators/{handle}/follow',
  readComments: 'GET /contents/{id}/comments public page:comments',
  createComment: 'POST /contents/{id}/comments json once',
  updateComment: 'PATCH /comments/{id} json',
  deleteComment: 'DELETE /comments/{id}',
  listFeed: 'GET /feed cursor:posts',
  listMyPosts: 'GET /users/me/posts cursor:posts',
  createPost: 'POST /posts json once',
  requirePost: 'GET /posts/{id}',
  deletePost: 'DELETE /posts/{id}',
  readThread: 'GET /posts/{id}/thread cursor:replies',
  replyToPost: 'POST /posts/{id}/replies json once',
  likePost: 'POST /posts/{id}/like once',
  unlikePost: 'DELETE /posts/{id}/like',
  listNotifications: 'GET /notifications page:notifications',
  countUnread: 'GET /notifications/unread-count',
  readAllNotifications: 'POST /notifications/read-all json once',
  readNotification: 'POST /notifications/{id}/read once',
  listConversations: 'GET /dm/conversations cursor:conversations',
  createConversation: 'POST /dm/conversations json once',
  listMessages: 'GET /dm/conversations/{id}/messages cursor:messages reversed',
  sendMessage: 'POST /dm/conversations/{id}/messages json once',
  readConversation: 'POST /dm/conversations/{id}/read once',
  listApps: 'GET /devconsole/apps',
  createApp: 'POST /devconsole/apps json once',
  readApp: 'GET /devconsole/apps/{app_id}',
  updateApp: 'PATCH /devconsole/apps/{app_id} json',
  deleteApp: 'DELETE /devconsole/apps/{app_id}',
  listKeys: 'GET /devconsole/apps/{app_id}/keys',
  createKey: 'POST /devconsole/apps/{app_id}/keys json once',
  revokeKey: 'DELETE /devconsole/keys/{key_id}',
  rotateKey: 'POST /devconsole/keys/{key_id}/rotate json once',
  listScopes: 'GET /devconsole/scopes',
  listEventTypes: 'GET /devconsole/event-types',
  listWebhooks: 'GET /devconsole/apps/{app_id}/webhooks',
  createWebhook: 'POST /devconsole/apps/{app_id}/webhooks json once',
  updateWebhook: 'PATCH /devconsole/webhooks/{webhook_id} json',
  deleteWebhook: 'DELETE /devconsole/webhooks/{webhook_id}',
  rotateSecrets: 'POST /devconsole/webhooks/{webhook_id}/rotate-secret once',
  testWebhook: 'POST /devconsole/webhooks/{webhook_id}/test once',
  listDeliveries: 'GET /devconsole/webhooks/{webhook_id}/deliveries page:deliveries',
  redeliver: 'POST /devconsole/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver once',
  listLegacyKeys: 'GET /developer/keys',
  createLegacyKey: 'POST /developer/keys json once',
  revokeLegacyKey: 'DELETE /developer/keys/{id}',
  listUsers: 'GET /admin/users page:users',
  readUser: 'GET /admin/users/{id}',
  updateUser: 'PATCH /admin/users/{id} json',
  listAuditEntries: 'GET /admin/users/{id}/audit page:audit',
}
