/** The pages of the games origin that are the server's own: without inline scripts and styles. */
import { SANDBOX } from './headers.ts'
import { RUFFLE_PATH } from './assets.ts'
import type { Game } from './rules.ts'

/** What the frame of a game may use of what the page around it may. */
const ALLOWED = [
  'accelerometer',
  'autoplay',
  'clipboard-write',
  'cross-origin-isolated',
  'fullscreen',
  'gamepad',
  'gyroscope',
  'screen-wake-lock',
]

/**
 * The page around a game. Its own origin is that of all games, so nothing of a game runs in it: it
 * holds the frame, gives it the keyboard, and keeps what the game saves.
 */
export function framePage(game: Game): string {
  const start = game.runtime === 'html5' ? `game/${encodePath(game.entry)}` : 'player'
  const data = {
    start,
    game: game.id,
    sandbox: SANDBOX,
    allow: ALLOWED.join('; '),
  }
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escape(value)}"`)
  return page(
    game.title,
    `<link rel="stylesheet" href="/players/player.css">
<body ${attributes.join(' ')}>
<noscript>Games need JavaScript.</noscript>
<script src="/players/frame.js"></script>`,
  )
}

/** The page that plays a WebAssembly or Flash game, which is the file `file` beside it. */
export function playerPage(game: Game): string {
  const scripts =
    game.runtime === 'swf'
      ? `<script src="/players/swf.js"></script>
<script src="${RUFFLE_PATH}ruffle.js"></script>`
      : '<script src="/players/wasm.js"></script>'
  return page(
    game.title,
    `<link rel="stylesheet" href="/players/player.css">
<body>
${scripts}`,
  )
}

function page(title: string, rest: string): string {
  return `<!doctype html>
<html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
${rest}
`
}

/** A path of a bundle as a relative URL. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
