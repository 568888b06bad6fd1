import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { zipOf } from './playing.ts'
import {
  type Bytes,
  body,
  exported,
  F64,
  f64,
  i32,
  I32,
  imported,
  limits,
  listOf,
  module,
  type,
} from './wasm.ts'

const WIDTH = 160
const HEIGHT = 120
const BOX = 16
const PICTURE = 65_536

/** Returns a WebAssembly game: a yellow box bounces on blue and beeps at the walls. Space reverses it. */
export function wasmGame(): Buffer {
  const [size, present, tone, key] = [0, 1, 2, 3]
  const [x, y, dx, dy] = [0, 1, 2, 3]
  const get = (global: number): Bytes => [0x23, global]
  const set = (global: number): Bytes => [0x24, global]
  const call = (index: number): Bytes => [0x10, index]
  const beep: Bytes = [f64(440), f64(60), f64(0.2), i32(1), call(tone)]
  // Returns the bytecode of `x += dx; when outside: x -= dx, dx = -dx and beep`.
  const move = (position: number, by: number, room: number): Bytes => [
    [get(position), get(by), 0x6a, set(position)],
    [get(position), i32(room - BOX), 0x4b, 0x04, 0x40], // unsigned, so negative values count as too large
    [get(position), get(by), 0x6b, set(position), i32(0), get(by), 0x6b, set(by), beep, 0x0b],
  ]
  const inBox = (position: number, pixel: Bytes): Bytes => [
    pixel,
    get(position),
    0x6b,
    i32(BOX),
    0x49,
  ]
  const fill: Bytes = [
    [i32(0), 0x21, 1],
    [0x03, 0x40], // loop over the pixels
    [i32(PICTURE), 0x20, 1, i32(2), 0x74, 0x6a],
    [i32(0xff20d0ff | 0), i32(0xffa04020 | 0)],
    [inBox(x, [0x20, 1, i32(WIDTH), 0x70]), inBox(y, [0x20, 1, i32(WIDTH), 0x6e]), 0x71],
    [0x1b, 0x36, 2, 0], // select, store
    [0x20, 1, i32(1), 0x6a, 0x22, 1, i32(WIDTH * HEIGHT), 0x48, 0x0d, 0, 0x0b],
  ]
  const turn: Bytes = [i32(32), call(key), 0x04, 0x40, i32(0), get(dx), 0x6b, set(dx), 0x0b]
  return module(
    listOf(
      1,
      type([I32, I32]),
      type([I32]),
      type([F64, F64, F64, I32]),
      type([I32], [I32]),
      [type()],
      type([F64]),
    ),
    listOf(
      2,
      imported('plaza', 'size', 0),
      imported('plaza', 'present', 1),
      imported('plaza', 'tone', 2),
      imported('plaza', 'key', 3),
    ),
    listOf(3, 4, 5),
    listOf(5, limits(3)),
    listOf(6, ...[10, 20, 2, 1].map((first): Bytes => [I32, 1, i32(first), 0x0b])),
    listOf(7, exported('memory', 2), exported('init', 0, 4), exported('frame', 0, 5)),
    listOf(
      10,
      body([], i32(WIDTH), i32(HEIGHT), call(size)),
      body(
        [[1, I32]],
        turn,
        move(x, dx, WIDTH),
        move(y, dy, HEIGHT),
        fill,
        i32(PICTURE),
        call(present),
      ),
    ),
  )
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Collect the coins</title>
<link rel="stylesheet" href="css/game.css">
<canvas id="board" width="320" height="240"></canvas>
<p id="score">0</p>
<script src="js/settings.js"></script>
<script type="module" src="js/game.mjs"></script>
</html>
`
const STYLE = 'body { margin: 0; background: #123 } canvas { display: block; margin: auto }\n'
const SETTINGS = 'window.settings = { speed: 4, coins: 3 }\n'
const WORLD = `export function collect(level, player) {
  const [taken, left] = [[], []]
  for (const coin of level.coins) {
    const near = Math.hypot(coin.x - player.x, coin.y - player.y) < 16
    ;(near ? taken : left).push(coin)
  }
  level.coins = left
  return taken.length
}
`
const GAME = `import { collect } from './world.mjs'
const board = document.getElementById('board').getContext('2d')
const level = await (await fetch('levels/1.json')).json()
const picture = new Image()
picture.src = 'img/player.png'
await picture.decode()
const held = new Set()
addEventListener('keydown', (event) => held.add(event.key))
addEventListener('keyup', (event) => held.delete(event.key))
const player = { ...level.start }
let score = 0
function frame() {
  const { speed } = window.settings
  player.x += speed * (held.has('ArrowRight') - held.has('ArrowLeft'))
  player.y += speed * (held.has('ArrowDown') - held.has('ArrowUp'))
  score += collect(level, player)
  board.fillStyle = '#234'
  board.fillRect(0, 0, 320, 240)
  board.fillStyle = 'gold'
  for (const { x, y } of level.coins) board.fillRect(x - 4, y - 4, 8, 8)
  board.drawImage(picture, player.x - 8, player.y - 8)
  document.getElementById('score').textContent = score
  document.body.dataset.ready = 'yes'
  requestAnimationFrame(frame)
}
requestAnimationFrame(frame)
`

export async function htmlGameFiles(): Promise<Record<string, string | Buffer>> {
  const square = { width: 16, height: 16, channels: 4, background: '#f64' } as const
  const coins = [
    { x: 60, y: 60 },
    { x: 200, y: 180 },
    { x: 280, y: 40 },
  ]
  return {
    'index.html': PAGE,
    'css/game.css': STYLE,
    'js/settings.js': SETTINGS,
    'js/game.mjs': GAME,
    'js/world.mjs': WORLD,
    'img/player.png': await sharp({ create: square }).png().toBuffer(),
    'levels/1.json': JSON.stringify({ start: { x: 20, y: 20 }, coins }),
  }
}

export async function htmlGame(): Promise<Buffer> {
  return zipOf(await htmlGameFiles())
}

export function swfGame(): Buffer {
  const require = createRequire(import.meta.url)
  return readFileSync(require.resolve('videojs-swf/dist/video-js.swf'))
}
