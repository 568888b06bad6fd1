/** Error codes with their HTTP status (docs/api.md, Error codes). Functions in `queries.ts` files do not throw them. */
import type { MessageKey } from './messages/en.ts'
import type { MessageParams } from './messages/language.ts'

export const ERRORS = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  CONTENT_NOT_FOUND: 404,
  COMMENT_NOT_FOUND: 404,
  NOTIFICATION_NOT_FOUND: 404,
  CONVERSATION_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  CREATOR_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  VALIDATION_ERROR: 422,
  CANNOT_FOLLOW_SELF: 409,
  CANNOT_BLOCK_SELF: 409,
  SELF_ACTION_FORBIDDEN: 409,
  NOT_IMPLEMENTED: 501,
  CAPTCHA_NOT_CONFIGURED: 503,
  MAIL_NOT_CONFIGURED: 503,
  EMAIL_NOT_VERIFIED: 403,
  EMAIL_ALREADY_VERIFIED: 409,
  TOKEN_INVALID: 422,
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PAYLOAD_TOO_LARGE: 413,
  BAD_REQUEST: 400,
  HEADERS_TOO_LARGE: 431,
  REQUEST_TIMEOUT: 408,
  INVALID_CREDENTIALS: 401,
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_INVALID: 401,
  ACCOUNT_SUSPENDED: 403,
  HANDLE_TAKEN: 409,
  EMAIL_TAKEN: 409,
  LEGACY_ACCOUNT_CONFLICT: 409,
  REQUEST_IN_PROGRESS: 409,
  LAST_ADMIN: 409,
  CONTENT_ARCHIVED: 409,
  CONTENT_NOT_ARCHIVED: 409,
  CONTENT_PUBLISHED: 409,
  RATING_LOCKED: 409,
  PEER_UNAVAILABLE: 409,
  STORAGE_FULL: 507,
  LIMIT_REACHED: 409,
  CASE_DECIDED: 409,
  DECISION_NOT_IN_EFFECT: 409,
  APPEAL_ANSWERED: 409,
  QUOTA_EXCEEDED: 409,
  EDIT_CONFLICT: 409,
  SETUP_CODE_INVALID: 422,
  INVITE_REQUIRED: 422,
  INVITE_INVALID: 422,
  REGISTRATION_CLOSED: 403,
  APPLICATION_PENDING: 403,
  APPLICATION_DECIDED: 409,
  CAPTCHA_REQUIRED: 422,
  CAPTCHA_INVALID: 422,
  OTP_INVALID: 422,
  PASSKEY_INVALID: 422,
  SECOND_FACTOR_ENABLED: 409,
  PASSKEY_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  POST_NOT_FOUND: 404,
  CASE_NOT_FOUND: 404,
  DECISION_NOT_FOUND: 404,
  APPEAL_NOT_FOUND: 404,
  GAME_NOT_FOUND: 404,
  UPLOAD_NOT_FOUND: 404,
  APP_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  PAGE_NOT_FOUND: 404,
  APPLICATION_NOT_FOUND: 404,
  INVITE_NOT_FOUND: 404,
  BAN_NOT_FOUND: 404,
  ANNOUNCEMENT_NOT_FOUND: 404,
  DELETION_NOT_FOUND: 404,
  EXPORT_NOT_FOUND: 404,
  INSUFFICIENT_SCOPE: 403,
  NOT_CONTENT_AUTHOR: 403,
  NOT_ALLOWED_HERE: 403,
  CONTENT_NOT_READY: 409,
  GAME_RUNTIME_MISMATCH: 409,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
} as const

export type ErrorCode = keyof typeof ERRORS

/** An invalid field. `field` is a path such as `redirect_uris.1`. */
export interface Problem {
  field: string
  key: Extract<MessageKey, `invalid.${string}`>
  params?: MessageParams
}

export interface ApiErrorOptions {
  problems?: Problem[]
  retryAfter?: number
  headers?: Record<string, string>
}

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly problems: Problem[] | undefined
  readonly retryAfter: number | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(code)
    this.code = code
    this.problems = options.problems
    this.retryAfter = options.retryAfter
    this.headers = options.headers
  }
}

export function oneRequired(...fields: string[]): Problem[] {
  return fields.map((field) => ({
    field,
    key: 'invalid.one_of',
    params: { fields: fields.join(', ') },
  }))
}

/** Returns a 422 VALIDATION_ERROR for one field. */
export function invalid(field: string, key: Problem['key'], params?: MessageParams): ApiError {
  return new ApiError('VALIDATION_ERROR', { problems: [{ field, key, ...(params && { params }) }] })
}
