/** The one client of the API that this page has. */
import { cookieSession, createPlaza, isPlazaError, type Upload } from '#sdk'
import { currentLanguage } from '../language/look.ts'

/** The refresh token is in a cookie that no script can read; the access token is in memory only. */
export const plaza = createPlaza({
  url: '',
  cookie: true,
  session: cookieSession(),
  language: currentLanguage,
})

/** Whether what was asked for is not there, or not for the one who asks. */
export function isMissing(error: unknown): boolean {
  return isPlazaError(error) && error.status === 404
}

/** Longer than this nobody waits to learn whether there is a server. */
const ANSWER_MS = 10_000

/** Whether the server answers, and can serve. */
export function isServerThere(): Promise<boolean> {
  return plaza.checkHealth({}, { timeoutMs: ANSWER_MS }).then(
    () => true,
    () => false,
  )
}

/** Unused uploads are removed after this time. */
const UNUSED_MS = 24 * 60 * 60_000

/** False when the server has removed an upload that no content uses yet. */
export async function isUploadThere({ url, created_at }: Upload): Promise<boolean> {
  if (Date.now() - Date.parse(created_at) > UNUSED_MS) return false
  return fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status !== 404,
    () => true,
  )
}
