/**
 * Headers that confine games. A game is a stranger's program: its document has an opaque origin, reaches
 * only its own files, and gets no device that games do not need.
 */

/** Features that need the user's permission, all off. Chromium logs names that it does not know. */
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

/** Headers of every response, including errors. */
export const ORIGIN_HEADERS = {
  // Together these isolate the page in its own process. Browsers then allow memory shared between threads.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  // A game has an opaque origin, so even its own files count as cross-origin.
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  // In Chromium (tested with 156) this blocks what the content security policy does not cover: WebRTC,
  // speculation rules, preconnect and navigation of the window. Redirects here stay on this origin.
  'connection-allowlist': '(response-origin);redirects=allow',
  'permissions-policy': FEATURES_OFF.map((name) => `${name}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-robots-tag': 'noindex',
}

/**
 * Sandbox flags for games (HTML standard, sandboxing). Without more flags a game has an opaque origin, and
 * cannot open windows, submit forms or navigate the window.
 */
const SANDBOX = 'allow-scripts allow-pointer-lock allow-orientation-lock'

const GAME_SCRIPTS = "'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:"

/** For every file of a bundle, since any of them can be opened as a document. */
export const GAME_POLICY = gamePolicy(GAME_SCRIPTS)

/** For XML and SVG, which as documents could run scripts without the prelude. */
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

/** For the pages that play WebAssembly and Flash. Same sandbox, but only scripts of this server. */
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

/** For the page that frames a game opened on its own. The frame cannot leave this origin. */
export const WINDOW_POLICY = [
  `sandbox ${SANDBOX}`,
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** For files that are not pages. */
export const FILE_POLICY = "sandbox; default-src 'none'"
