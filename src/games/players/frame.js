/*
 * Around a game: makes its frame, gives it the keyboard, and keeps what it saves. This page has the
 * origin of all games, so it believes nothing that comes out of the frame: a text to keep under the
 * name of this game, and no more.
 */
'use strict'
{
  const { start, game, sandbox, allow } = document.body.dataset
  const KEY = `saves ${game}`
  /** Characters: the browser keeps some five million for all games together. */
  const LIMIT = 200_000

  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', sandbox)
  frame.allow = allow
  // The one thing a page can read before anything of it runs: see prelude.js.
  frame.name = read()
  frame.addEventListener('load', () => frame.contentWindow.focus())
  addEventListener('focus', () => frame.contentWindow.focus())
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || typeof data?.saves !== 'string') return
    if (data.saves.length <= LIMIT) keep(data.saves)
  })
  document.body.append(frame)
  // Laid out before it loads: games ask at once how large they are.
  frame.getBoundingClientRect()
  frame.src = start

  function read() {
    try {
      return localStorage.getItem(KEY) ?? ''
    } catch {
      return ''
    }
  }

  /** Without room, what another game saved makes it: there are more games than room. */
  function keep(saves) {
    for (;;) {
      try {
        localStorage.setItem(KEY, saves)
        return
      } catch {
        const other = others()[0]
        if (!other) return
        localStorage.removeItem(other)
      }
    }
  }

  function others() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith('saves ') && key !== KEY)
    } catch {
      return []
    }
  }
}
