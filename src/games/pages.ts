import { escapeMarkup } from '../http/markup.ts'
import { RUFFLE_PATH } from './assets.ts'
import type { Game } from './rules.ts'

/** Script element that every page with a game must contain before its other scripts. */
export const PRELUDE = '<script src="/players/prelude.js"></script>'

/**
 * Returns the page that shows a game in a separate window. `framed` is the URL of the game. The game is in a
 * frame, so it cannot navigate the window to another site.
 */
export function windowPage(title: string, framed: string): string {
  return `<!doctype html>
<html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<link rel="stylesheet" href="/players/player.css">
<body>
<noscript>Games need JavaScript.</noscript>
<script src="/players/window.js" data-framed="${escapeMarkup(framed)}"></script>
`
}

/** Returns the page that plays a WebAssembly or Flash game. The page loads the game from the relative URL `file`. */
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
<title>${escapeMarkup(game.title)}</title>
<link rel="stylesheet" href="/players/player.css">
<body>
<noscript>Games need JavaScript.</noscript>
${PRELUDE}
${scripts}
`
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
