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

/** On every answer, errors too. */
export const ORIGIN_HEADERS = {
  // Together: a page without a cross-origin neighbour in its process, which may share memory
  // between threads where the browser lets it.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  // A game's own files come from another origin than its own, which equals none.
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

/** What a game may do (HTML standard, sandboxing): not be of any origin, open, submit or lead away. */
const SANDBOX = 'allow-scripts allow-pointer-lock allow-orientation-lock'

const GAME_SCRIPTS = "'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:"

/** For every file of a bundle: any of them can be opened as a document. */
export const GAME_POLICY = gamePolicy(GAME_SCRIPTS)

/** For XML and SVG, which could run scripts as documents without the prelude. */
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

/** Of the pages that play WebAssembly and Flash: sandboxed alike, with scripts of this server only. */
export const PLAYER_POLICY = [
  `sandbox ${SANDBOX}`,
  "default-src 'self' data: blob:",
  "script-src 'self' 'wasm-unsafe-eval'",
  // Ruffle styles its element from within.
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** For the page that frames a game opened on its own: the frame cannot leave this origin. */
export const WINDOW_POLICY = [
  `sandbox ${SANDBOX}`,
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Of what is no page. */
export const FILE_POLICY = "sandbox; default-src 'none'"
