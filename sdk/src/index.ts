export { randomHex as newIdempotencyKey } from './bytes.ts'
export { type CaptchaOptions, type CaptchaSolution, solveChallenge } from './captcha.ts'
export {
  createPlaza,
  type DataOf,
  type InputOf,
  type ItemOf,
  type Language,
  type ListName,
  type OperationName,
  type Plaza,
  type PlazaOptions,
} from './client.ts'
export { type ClientCode, type ErrorDetail, isPlazaError, PlazaError } from './errors.ts'
export type * from './generated.ts'
export { cookieSession, memorySession, type SessionStore, type SessionTokens } from './session.ts'
export type { List } from './pages.ts'
export type { CallOptions } from './transport.ts'
export type { UploadOptions, UploadProgress } from './upload.ts'
export {
  verifyWebhook,
  type WebhookData,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookRefusal,
  type WebhookRequest,
  WebhookVerificationError,
} from './webhook.ts'
