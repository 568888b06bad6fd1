/** What the pages of the client may do. */
import { createHash } from 'node:crypto'

/** Features that the client and the games in it never use. */
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
 * Isolates the page, so that games in its frames can share memory between threads. Everything else
 * that a page loads comes from this server.
 */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}
/** Scheme, name or address, and port: nothing that could end a directive. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i
const INLINE_SCRIPT = /<script>([^]*?)<\/script>/g

/** The expressions by which a policy lets the inline scripts of a page run (CSP 3, section 8.3). */
export function scriptHashes(html: string): string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map(([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
}

/**
 * The headers of a page. Games are framed from their own origin; a name that is no origin, as a
 * caller may send one in `Host`, frames nothing.
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
    // No text becomes a script or markup: the client never does that, and no policy lets it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  // A game's origin is opaque in its sandbox, so no name matches it; but nothing else is framed.
  const features = [...FEATURES_OFF.map((name) => `${name}=()`), 'fullscreen=*']
  return {
    'content-security-policy': policy.join('; '),
    ...ISOLATION,
    'permissions-policy': features.join(', '),
    'referrer-policy': 'same-origin',
  }
}
