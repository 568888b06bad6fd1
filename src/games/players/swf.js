/* Plays a Flash film in Ruffle. The film gets no network and no access to the page, and opens no windows. */
'use strict'
// Ruffle prints messages about itself at every log level.
console.log = console.info = console.debug = () => {}
window.RufflePlayer = {
  config: {
    allowNetworking: 'none',
    allowScriptAccess: false,
    openUrlMode: 'deny',
    /** Seconds after which a running script is stopped. */
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
  // Without a graphics card this dialog would cover the film. Its link cannot open in the sandbox.
  player.shadowRoot?.getElementById('hardware-acceleration-modal')?.remove()
  // The page around shows a loading state until this message.
  const reportStart = () => {
    if (parent !== window) parent.postMessage({ started: true }, '*')
  }
  player.addEventListener('loadeddata', reportStart)
  document.body.append(player)
  const film = { url: new URL('file', document.baseURI).href }
  // The film receives keys only if it is focused after loading.
  player
    .ruffle()
    .load(film)
    .then(
      () => player.focus(),
      // Ruffle shows the error itself.
      reportStart,
    )
})
