/**
 * What every answer of the games origin says to the browser. A game is a stranger's program: it
 * runs in an origin of its own that equals no other, reaches its own files and nothing else, and
 * has no part of the visitor's machine that a game does not need.
 */

/** Features a page could ask the visitor for, all off; what games use stays as it is. */
const FEATURES_OFF = [
  // Chromium warns that it does not know this one where it has no Web Bluetooth, as on Linux.
  'bluetooth',
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
  'permissions-policy': FEATURES_OFF.map((name) => `${name}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-robots-tag': 'noindex',
}

/** What a game may do (HTML standard, sandboxing): not be of any origin, open, submit or lead away. */
const SANDBOX = 'allow-scripts allow-pointer-lock allow-orientation-lock'

/** Of whatever comes out of a bundle: any of it can be a page. */
export const GAME_POLICY = [
  `sandbox ${SANDBOX}`,
  "default-src 'self' data: blob:",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:",
  "style-src 'self' 'unsafe-inline' data: blob:",
  "worker-src 'self' data: blob:",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
].join('; ')

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

/** Of what is no page. */
export const FILE_POLICY = "sandbox; default-src 'none'"
