/*
 * Plays a Flash film. What Ruffle would allow by itself is taken away: a film reaches no network, no
 * script of the page, and opens nothing.
 */
'use strict'
// Ruffle logs about itself at every log level.
console.log = console.info = console.debug = () => {}
window.RufflePlayer = {
  config: {
    allowNetworking: 'none',
    allowScriptAccess: false,
    openUrlMode: 'deny',
    /** Seconds after which a script that does not end is stopped. */
    maxExecutionDuration: 15,
    autoplay: 'on',
    unmuteOverlay: 'hidden',
    splashScreen: false,
    letterbox: 'on',
    allowFullscreen: true,
    polyfills: false,
    contextMenu: 'off',
    showSwfDownload: false,
    warnOnUnsupportedContent: false,
    logLevel: 'error',
  },
}
addEventListener('DOMContentLoaded', () => {
  const player = window.RufflePlayer.newest().createPlayer()
  // It would cover the film where there is no graphics card, with a link that the sandbox does not open.
  player.shadowRoot?.getElementById('hardware-acceleration-modal')?.remove()
  // The page around shows its loading state until then.
  const reportStart = () => {
    if (parent !== window) parent.postMessage({ started: true }, '*')
  }
  player.addEventListener('loadeddata', reportStart)
  document.body.append(player)
  const film = { url: new URL('file', document.baseURI).href }
  // Keys go to the film once it has the focus, which it takes notice of when it is loaded.
  player
    .ruffle()
    .load(film)
    .then(
      () => player.focus(),
      // Ruffle shows the reason.
      reportStart,
    )
})
