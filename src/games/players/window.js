/** Frames a game in its own window, and keeps its saved data in the window's name. */
'use strict'
{
  const { framed } = document.currentScript.dataset
  const frame = document.createElement('iframe')
  frame.name = window.name
  frame.sandbox = 'allow-scripts allow-pointer-lock allow-orientation-lock'
  frame.allow = 'fullscreen; autoplay; gamepad; cross-origin-isolated'
  frame.src = framed
  frame.addEventListener('load', () => frame.focus())
  addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow && typeof data?.saves === 'string') window.name = data.saves
  })
  document.body.append(frame)
}
