import { createHash } from 'node:crypto'

/** Browser features to disable, because neither the client nor games use them. */
const FEATURES_OFF = [
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'microphone',
  'midi',
  'payment',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
/**
 * Headers that isolate a page, so that games in its frames can share memory between threads. An isolated page cannot
 * load resources from most other servers, but the client loads none.
 */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}
/** Matches an origin that contains no character that could end a CSP directive. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i
const INLINE_SCRIPT = /<script>([^]*?)<\/script>/g

/** Returns the CSP hashes of a page's inline scripts (CSP 3, section 8.3). */
export function scriptHashes(html: string): string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map(([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
}

/**
 * Returns the headers of a page. Frames of the page may load only `gamesOrigin`. An invalid origin, which a
 * `Host` header can cause, disables frames.
 */
export function pageHeaders(scripts: readonly string[], gamesOrigin: string) {
  const games = ORIGIN.test(gamesOrigin) ? gamesOrigin : undefined
  const policy = [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${games ?? "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Stops scripts from turning text into scripts or markup. The only exception is the policy `worker`, with which
    // the client names its service worker.
    "require-trusted-types-for 'script'",
    'trusted-types worker',
  ]
  // Permits fullscreen for all origins, because sandboxed games have an opaque origin, which no list can name.
  // `frame-src` limits frames to games.
  const features = [...FEATURES_OFF.map((name) => `${name}=()`), 'fullscreen=*']
  return {
    'content-security-policy': policy.join('; '),
    ...ISOLATION,
    'permissions-policy': features.join(', '),
    'referrer-policy': 'same-origin',
  }
}
