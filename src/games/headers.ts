/**
 * Headers of games and their players. A game is an untrusted program. It has an opaque origin, can load files
 * only from the games origin, and cannot use devices such as cameras.
 */

/**
 * Browser features that games do not need. Lists only names that Chromium supports, because Chromium logs a warning for
 * others.
 */
const FEATURES_OFF = [
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'geolocation',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

export const ORIGIN_HEADERS = {
  // These two headers isolate the page in a separate process, which browsers require for memory shared
  // between threads.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  // A game has an opaque origin, so even its own files count as cross-origin resources.
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  // Blocks features that the content security policy allows: WebRTC, speculation rules, preconnect and
  // navigation. Works in Chromium (tested with 156). Redirects are safe, because the server redirects only to
  // its own origin.
  'connection-allowlist': '(response-origin);redirects=allow',
  'permissions-policy': FEATURES_OFF.map((name) => `${name}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-robots-tag': 'noindex',
}

/**
 * Sandbox flags of a game (HTML standard, sandboxing). Without further flags, a game cannot open windows,
 * submit forms or navigate the window.
 */
const SANDBOX = 'allow-scripts allow-pointer-lock allow-orientation-lock'

const GAME_SCRIPTS = "'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:"

/**
 * Policy for the files of a bundle except XML and SVG. Even pictures and sounds need it, because any file can be
 * opened as a document.
 */
export const GAME_POLICY = gamePolicy(GAME_SCRIPTS)

/**
 * Policy for XML and SVG. Forbids scripts, because `players/prelude.js` closes gaps of the policy only in HTML
 * pages.
 */
export const MARKUP_POLICY = gamePolicy("'none'")

function gamePolicy(scripts: string): string {
  return [
    `sandbox ${SANDBOX}`,
    "default-src 'self' data: blob:",
    `script-src ${scripts}`,
    "style-src 'self' 'unsafe-inline' data: blob:",
    "worker-src 'self' data: blob:",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'none'",
  ].join('; ')
}

/** Policy of the pages that play WebAssembly and Flash. They run only scripts of this server. */
export const PLAYER_POLICY = [
  `sandbox ${SANDBOX}`,
  "default-src 'self' data: blob:",
  "script-src 'self' 'wasm-unsafe-eval'",
  // Ruffle adds inline styles to its element.
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Policy of the page that shows a game in its own window. The game's frame cannot leave this origin. */
export const WINDOW_POLICY = [
  `sandbox ${SANDBOX}`,
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export const FILE_POLICY = "sandbox; default-src 'none'"
