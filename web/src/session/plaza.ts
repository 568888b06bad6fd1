/** The API client, and the first API responses, which the server includes in the page for anonymous viewers. */
import { cookieSession, createPlaza, isPlazaError, type Upload } from '#sdk'
import { currentLanguage } from '../language/look.ts'
import { setServerCheck } from '../device/connected.ts'

/** Milliseconds after the start of the page during which the included response counts as current. */
const FRESH_MS = 30_000
const INLINED = 'script[type="application/json"][data-url]'
const COUNTED = /^\/api\/v1\/contents\//

/** True while the page includes a current response in the viewer's language that no request has used. */
export function hasInlined(): boolean {
  const unused = document.querySelector(`${INLINED}[lang="${currentLanguage()}"]`)
  return performance.now() < FRESH_MS && unused !== null
}

/**
 * Works like `fetch`, but returns the included API response once if the URL and language match. The request must have
 * no credentials and come within FRESH_MS. Also sends requests for content items, because the server counts them as
 * views.
 */
const fetchOrInlined: typeof fetch = (target, init) => {
  const url = String(target)
  const body = takeInlined(url, new Headers(init?.headers))
  if (body === undefined) return fetch(target, init)
  if (COUNTED.test(url)) void fetch(url, { headers: init?.headers ?? {} }).catch(() => {})
  return Promise.resolve(
    new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
  )
}

function takeInlined(url: string, headers: Headers): string | undefined {
  const responses = document.querySelectorAll<HTMLElement>(INLINED)
  const inlined = Array.from(responses).find(({ dataset }) => dataset['url'] === url)
  if (!inlined) return undefined
  inlined.remove()
  if (headers.has('authorization')) return undefined
  const isCurrent = performance.now() < FRESH_MS && inlined.lang === headers.get('accept-language')
  return isCurrent ? inlined.textContent : undefined
}

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
