/** First API response for the page, which the server includes in the HTML for anonymous viewers. */

/** Milliseconds after the start of the page during which the included response counts as current. */
const FRESH_MS = 30_000
const COUNTED = /^\/api\/v1\/contents\//

/**
 * Works like `fetch`, but returns the API response in the page if that response belongs to the requested URL. Uses the
 * response only once, within FRESH_MS, for a request without credentials in the page's language. Requests for content
 * items are also sent to the server, because it counts views by requests.
 */
export const fetchOrInlined: typeof fetch = (target, init) => {
  const url = String(target)
  const body = takeInlined(url, new Headers(init?.headers))
  if (body === undefined) return fetch(target, init)
  if (COUNTED.test(url)) void fetch(url, { headers: init?.headers ?? {} }).catch(() => {})
  return Promise.resolve(
    new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
  )
}

function takeInlined(url: string, headers: Headers): string | undefined {
  const inlined = document.getElementById('plaza-data')
  if (inlined?.dataset['url'] !== url || headers.has('authorization')) return undefined
  inlined.remove()
  const isCurrent = performance.now() < FRESH_MS && inlined.lang === headers.get('accept-language')
  return isCurrent ? inlined.textContent : undefined
}
