/**
 * Plays a WebAssembly game. The game can call only the functions of `src/bundles/wasm-contract.ts`, so it
 * cannot access this page.
 */
'use strict'
{
  const PICTURE_MAX = 4096
  /** Maximum number of simultaneous sounds. Further sounds are dropped. */
  const SOUNDS_MAX = 64
  const SAMPLES_MAX = 10 * 48_000
  const TONE_MAX_MS = 10_000
  const LOG_MAX = 10_000
  const WAVES = ['sine', 'square', 'sawtooth', 'triangle']

  const canvas = document.createElement('canvas')
  canvas.tabIndex = 0
  canvas.width = 320
  canvas.height = 240
  document.body.append(canvas)
  const screen = canvas.getContext('2d')

  let exports = {}
  let audio
  let sounds = 0
  const pressed = new Set()
  const pointer = { x: 0, y: 0, buttons: 0 }
  const startedAt = performance.now()

  const plaza = {
    size(width, height) {
      if (!(inPicture(width) && inPicture(height))) throw new RangeError('size: 1 to 4096 pixels')
      canvas.width = width
      canvas.height = height
    },
    present(address) {
      const pixels = bytes(address, canvas.width * canvas.height * 4)
      screen.putImageData(new ImageData(new Uint8ClampedArray(pixels), canvas.width), 0, 0)
    },
    key: (code) => (pressed.has(code) ? 1 : 0),
    pointer_x: () => pointer.x,
    pointer_y: () => pointer.y,
    pointer_buttons: () => pointer.buttons,
    gamepad_button: (pad, button) => (gamepad(pad)?.buttons[button]?.pressed ? 1 : 0),
    gamepad_axis: (pad, axis) => gamepad(pad)?.axes[axis] ?? 0,
    time: () => performance.now() - startedAt,
    random: () => Math.random(),
    log(address, length) {
      console.log(text(bytes(address, Math.min(length >>> 0, LOG_MAX))))
    },
    tone(frequency, milliseconds, volume, wave) {
      const seconds = clamp(milliseconds, 0, TONE_MAX_MS) / 1000
      play(volume, seconds, (context) => {
        const node = context.createOscillator()
        node.type = WAVES[wave] ?? 'sine'
        node.frequency.value = clamp(frequency, 0, 20_000)
        return node
      })
    },
    sample(address, count, rate, volume) {
      if (count >>> 0 > SAMPLES_MAX) throw new RangeError(`sample: at most ${SAMPLES_MAX}`)
      if (!(count > 0)) return
      // Copies the samples, because a Float32Array requires an aligned address.
      const samples = new Float32Array(bytes(address, count * 4).slice().buffer)
      const hertz = clamp(rate, 8000, 96_000)
      play(volume, count / hertz, (context) => {
        const buffer = context.createBuffer(1, count, hertz)
        buffer.copyToChannel(samples, 0)
        const node = context.createBufferSource()
        node.buffer = buffer
        return node
      })
    },
  }
  const env = {
    abort(message, file, line, column) {
      throw new Error(`${script(message)} (${script(file)}:${line}:${column})`)
    },
    seed: () => Date.now() * Math.random(),
  }

  listen()
  run().catch(fail)

  async function run() {
    const answer = await fetch('file')
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
    const { instance } = await WebAssembly.instantiateStreaming(answer, { plaza, env })
    exports = instance.exports
    exports.init?.()
    canvas.focus()
    const { frame } = exports
    if (typeof frame !== 'function') return
    const step = (now) => {
      try {
        frame(now - startedAt)
        requestAnimationFrame(step)
      } catch (error) {
        fail(error)
      }
    }
    requestAnimationFrame(step)
  }

  function fail(error) {
    console.error(error)
    // Leaves the page blank for the screenshot browser, so that an error message does not become the
    // thumbnail.
    if (navigator.webdriver) return document.body.replaceChildren()
    const note = document.createElement('p')
    const isKorean = navigator.language.startsWith('ko')
    note.textContent = `${isKorean ? '게임이 멈췄어요.' : 'The game stopped.'} ${error.message}`
    document.body.replaceChildren(note)
  }

  /** Returns a view of a range of the game's memory. Throws a RangeError when the range is out of bounds. */
  function bytes(address, length) {
    return new Uint8Array(exports.memory.buffer, address >>> 0, length)
  }

  function text(utf8) {
    return new TextDecoder().decode(utf8)
  }

  /** Returns the AssemblyScript string at an address: UTF-16, preceded by its length in bytes. */
  function script(address) {
    if (!address) return ''
    const [length] = new Uint32Array(bytes(address - 4, 4).slice().buffer)
    return new TextDecoder('utf-16le').decode(bytes(address, Math.min(length, LOG_MAX)))
  }

  function inPicture(length) {
    return length >= 1 && length <= PICTURE_MAX
  }

  function clamp(value, min, max) {
    return Math.min(max, Math.max(min, Number.isNaN(value) ? min : value))
  }

  function gamepad(index) {
    return navigator.getGamepads?.()[index]
  }

  function play(volume, seconds, makeNode) {
    if (sounds >= SOUNDS_MAX) return
    audio ??= new AudioContext()
    // Browsers allow sound only after a key press or click.
    if (audio.state !== 'running') return
    const gain = audio.createGain()
    gain.gain.value = clamp(volume, 0, 1)
    const node = makeNode(audio)
    node.connect(gain).connect(audio.destination)
    sounds++
    node.addEventListener('ended', () => {
      sounds--
      gain.disconnect()
    })
    node.start()
    node.stop(audio.currentTime + seconds)
  }

  function listen() {
    const wake = () => {
      audio ??= new AudioContext()
      if (audio.state === 'suspended') void audio.resume()
    }
    addEventListener('keydown', (event) => {
      wake()
      pressed.add(event.keyCode)
      // Leaves Tab, Escape, function keys and shortcuts to the browser.
      const isBrowsers = event.ctrlKey || event.metaKey || event.altKey
      if (!isBrowsers && !/^(?:Tab|Escape|F\d+)$/.test(event.key)) {
        event.preventDefault()
      }
    })
    addEventListener('keyup', (event) => pressed.delete(event.keyCode))
    addEventListener('blur', () => {
      pressed.clear()
      pointer.buttons = 0
    })
    for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) {
      canvas.addEventListener(kind, (event) => {
        if (kind === 'pointerdown') {
          wake()
          canvas.focus()
          canvas.setPointerCapture(event.pointerId)
        }
        moveTo(event)
      })
    }
    canvas.addEventListener('contextmenu', (event) => event.preventDefault())
  }

  /**
   * Stores the pointer's position in pixels of the picture. The canvas keeps its aspect ratio, so there can
   * be bars around the picture.
   */
  function moveTo({ clientX, clientY, buttons }) {
    const box = canvas.getBoundingClientRect()
    const scale = Math.min(box.width / canvas.width, box.height / canvas.height)
    const left = box.left + (box.width - canvas.width * scale) / 2
    const top = box.top + (box.height - canvas.height * scale) / 2
    pointer.x = (clientX - left) / scale
    pointer.y = (clientY - top) / scale
    pointer.buttons = buttons & 7
  }
}
