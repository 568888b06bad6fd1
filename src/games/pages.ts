/** The page of the games origin that is the server's own: without inline scripts and styles. */
import { RUFFLE_PATH } from './assets.ts'
import type { Game } from './rules.ts'

/** The page that plays a WebAssembly or Flash game, which is the file `file` beside it. */
export function playerPage(game: Game): string {
  const scripts =
    game.runtime === 'swf'
      ? `<script src="/players/swf.js"></script>
<script src="${RUFFLE_PATH}ruffle.js"></script>`
      : '<script src="/players/wasm.js"></script>'
  return `<!doctype html>
<html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(game.title)}</title>
<link rel="stylesheet" href="/players/player.css">
<body>
<noscript>Games need JavaScript.</noscript>
${scripts}
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
