import { cookieSession, createPlaza, isPlazaError, type Upload } from '#sdk'
import { currentLanguage } from '../language/look.ts'
import { setServerCheck } from '../device/connected.ts'
import { fetchOrInlined } from './inlined.ts'

/** API client of the page. The refresh token is in an HttpOnly cookie, and the access token only in memory. */
export const plaza = createPlaza({
  url: '',
  cookie: true,
  session: cookieSession(),
  language: currentLanguage,
  fetch: fetchOrInlined,
})

const ANSWER_MS = 10_000

setServerCheck(() =>
  plaza.system.checkHealth({}, { timeoutMs: ANSWER_MS }).then(
    () => true,
    () => false,
  ),
)

/** True for a 404 error. The server also sends it when the viewer may not see the object. */
export function isMissing(error: unknown): boolean {
  return isPlazaError(error) && error.status === 404
}

/** Age in milliseconds at which the server deletes unused uploads. */
const UNUSED_MS = 24 * 60 * 60_000

/**
 * Returns false when the server has deleted an unused upload, or the upload is old enough for deletion. Returns true
 * when the server is unreachable.
 */
export async function isUploadThere({ url, created_at }: Upload): Promise<boolean> {
  if (Date.now() - Date.parse(created_at) > UNUSED_MS) return false
  return fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status !== 404,
    () => true,
  )
}

/**
 * Runs a deletion. Ignores the error code `missing`, which means that the object is already deleted, for example by a
 * request whose response was lost.
 */
export async function deleteOnce(
  missing: Parameters<typeof isPlazaError>[1],
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isPlazaError(error, missing)) throw error
  }
}
