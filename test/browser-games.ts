export const WAV = Buffer.concat([
  Buffer.from('524946466c1f000057415645666d7420100000000100010040', 'hex'),
  Buffer.from('1f0000401f00000100080064617461401f0000', 'hex'),
  Buffer.alloc(8000, 128),
])

/** Game script that uses the browser features most games need. It loads only the game's own files. */
export const TOOLBOX = `
const report = { size: window.size }
const said = (worker) => new Promise((done, fail) => {
  worker.onmessage = ({ data }) => done(data)
  worker.onerror = () => fail(new Error('the worker failed'))
})
report.best = localStorage.getItem('best')
localStorage.setItem('best', 7)
localStorage.other = 'x'
report.names = Object.keys(localStorage)
report.module = (await import('./more.js')).answer
report.level = (await (await fetch('level.json')).json()).name
report.worker = await said(new Worker('worker.js'))
const blob = new Blob(["postMessage('from a blob')"], { type: 'text/javascript' })
report.blobWorker = await said(new Worker(URL.createObjectURL(blob)))
report.sound = await new Promise((done) => {
  const sound = new Audio('sound.wav')
  sound.oncanplay = () => done('ready')
  sound.onerror = () => done('failed')
})
const bytes = await (await fetch('sound.wav')).arrayBuffer()
report.decoded = (await new AudioContext().decodeAudioData(bytes)).length > 0
const screen = document.querySelector('canvas').getContext('2d')
report.picture = await new Promise((done) => {
  const picture = new Image()
  picture.onload = () => {
    screen.drawImage(picture, 0, 0)
    done([...screen.getImageData(4, 4, 1, 1).data])
  }
  picture.src = 'picture.svg'
})
const module = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])
report.wasm = (await WebAssembly.instantiate(module)).instance instanceof WebAssembly.Instance
addEventListener('keydown', () => {
  screen.fillStyle = '#0f0'
  screen.fillRect(0, 0, 64, 64)
})
window.report = report
`

/**
 * Game script that attempts every action the sandbox must block. It needs the constants OUTSIDE, API and
 * OTHER.
 */
export const CAGE = `
const report = {}
const tries = {
  cookie: () => document.cookie,
  storage: () => { delete window.localStorage; return window.localStorage.getItem('x') ?? 'read' },
  storageOfAFrame: () => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    return frame.contentWindow.localStorage.getItem('x') ?? 'read'
  },
  databases: () => new Promise((done, fail) => {
    const asked = indexedDB.open('x')
    asked.onsuccess = () => done('opened')
    asked.onerror = () => fail(asked.error)
  }),
  caches: () => caches.open('x'),
  serviceWorker: () => navigator.serviceWorker.register('/players/wasm.js'),
  parentPage: () => parent.document.title,
  topPage: () => top.document.title,
  parentStorage: () => parent.localStorage.length,
  topStorage: () => top.localStorage.token,
  topAddress: () => top.location.href,
  leadTopAway: () => { top.location.href = OUTSIDE + '/top' },
  leadParentAway: () => { parent.location.href = OUTSIDE + '/parent' },
  window: () => window.open(OUTSIDE + '/window') ?? Promise.reject(new Error('none')),
  fetch: () => fetch(OUTSIDE + '/fetch'),
  fetchWithCredentials: () => fetch(API + '/api/v1/auth/me', { credentials: 'include' }),
  fetchBlindly: () => fetch(API + '/api/health', { mode: 'no-cors' }),
  request: () => new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    request.open('POST', OUTSIDE + '/xhr')
    request.onload = done
    request.onerror = () => fail(new Error('failed'))
    request.send('x')
  }),
  socket: () => new Promise((done, fail) => {
    const socket = new WebSocket(OUTSIDE.replace('http', 'ws') + '/socket')
    socket.onopen = done
    socket.onerror = () => fail(new Error('failed'))
  }),
  picture: () => new Promise((done, fail) => {
    const picture = new Image()
    picture.onload = done
    picture.onerror = () => fail(new Error('failed'))
    picture.src = OUTSIDE + '/picture'
  }),
  script: () => new Promise((done, fail) => {
    const script = document.createElement('script')
    script.onload = done
    script.onerror = () => fail(new Error('failed'))
    script.src = OUTSIDE + '/script'
    document.head.append(script)
  }),
  frame: () => new Promise((done, fail) => {
    const frame = document.createElement('iframe')
    frame.src = OUTSIDE + '/frame'
    document.body.append(frame)
    setTimeout(() => {
      try { frame.contentDocument ? fail(new Error('empty')) : fail(new Error('closed')) } catch (e) { fail(e) }
    }, 200)
  }),
  camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
  place: () => new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail)),
}
const start = async () => {
  navigator.sendBeacon(OUTSIDE + '/beacon', 'x')
  const form = document.body.appendChild(document.createElement('form'))
  form.action = OUTSIDE + '/form'
  form.method = 'post'
  form.submit()
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      report[name] = 'done: ' + (await attempt())
    } catch (error) {
      report[name] = 'refused: ' + (error.message ?? error)
    }
  }
  const [, play, token] = location.pathname.split('/')
  const guess = token.replace(/^cnt_[0-9a-z]+/, OTHER)
  report.otherGame = (await fetch('/' + play + '/' + guess + '/index.html')).status
  window.report = report
}
addEventListener('DOMContentLoaded', start)
`
