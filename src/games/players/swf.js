/** Plays a Flash film in Ruffle. The film cannot use the network, access the page or open windows. */
'use strict'
// Ruffle logs messages about itself even with `logLevel: 'error'`.
console.log = console.info = console.debug = () => {}
window.RufflePlayer = {
  config: {
    allowNetworking: 'none',
    allowScriptAccess: false,
    openUrlMode: 'deny',
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
  // Removes a dialog that covers the film when there is no graphics card. The link in the dialog cannot open
  // in the sandbox.
  player.shadowRoot?.getElementById('hardware-acceleration-modal')?.remove()
  // The surrounding page shows a loading state until it receives this message.
  const reportStart = () => {
    if (parent !== window) parent.postMessage({ started: true }, '*')
  }
  player.addEventListener('loadeddata', reportStart)
  document.body.append(player)
  const film = { url: new URL('file', document.baseURI).href }
  // The film receives keys only if the player is focused after loading.
  player
    .ruffle()
    .load(film)
    .then(
      () => player.focus(),
      // An error counts as a start too, because Ruffle displays the error.
      reportStart,
    )
})
