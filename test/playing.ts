import assert from 'node:assert/strict'
import { ZipFile } from 'yazl'
import type { Actor, Loose } from './app.ts'
import { makeFilm } from './flash.ts'
import { dataOf, makeContent } from './make.ts'
import { makeUpload } from './uploads.ts'

export type Files = Record<string, string | Buffer>

export async function zipOf(files: Files): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

let made = 0

export async function makeGameOf(
  creator: Actor,
  bytes: Buffer,
  over: Record<string, unknown> = {},
): Promise<Loose> {
  const upload = await makeUpload(creator, bytes)
  return makeContent(creator, { category: 'jump', type: 'game', upload_ids: [upload.id], ...over })
}

export async function makePageGame(
  creator: Actor,
  files: Files = {},
  over: Record<string, unknown> = {},
): Promise<Loose> {
  const unlike = { 'unlike.txt': `${process.pid} ${++made}` }
  const page = { 'index.html': '<!doctype html><title>A game</title><p>Play!' }
  return makeGameOf(creator, await zipOf({ ...page, ...unlike, ...files }), over)
}

export async function makeModuleGame(
  creator: Actor,
  over: Record<string, unknown> = {},
): Promise<Loose> {
  return makeGameOf(creator, makeModule(), over)
}

export async function makeFlashGame(creator: Actor): Promise<Loose> {
  return makeGameOf(creator, makeFilm())
}

/** Requests a play, the stream or the film of a game. The game's id is in the path and in the body, as in clients. */
export function ask(player: Actor, id: string, what: 'play' | 'stream' | 'swf' = 'play') {
  return player.post(`/jump/games/${id}/${what}`, { id })
}

export async function launch(player: Actor, id: string): Promise<string> {
  const { launch_url } = dataOf(await ask(player, id)).play
  const answer = await fetch(launch_url, { redirect: 'manual' })
  assert.equal(answer.status, 302)
  const page = new URL(answer.headers.get('location') as string, launch_url)
  return new URL('.', page).href
}

/**
 * Returns a WebAssembly game. It draws 64 x 64 pixels with horizontal lines, red by default and green while the
 * right arrow key is down.
 */
export function makeModule(): Buffer {
  const [I32, VOID] = [0x7f, 0x40]
  const types = [
    [[I32, I32], []],
    [[I32], []],
    [[I32], [I32]],
    [[], []],
  ].map(([params = [], results = []]) => [
    0x60,
    params.length,
    ...params,
    results.length,
    ...results,
  ])
  const imports = [
    ['size', 0],
    ['present', 1],
    ['key', 2],
  ].map(([name, type]) => [...text('plaza'), ...text(name as string), 0, type as number])
  const init = [0x41, ...sleb(64), 0x41, ...sleb(64), 0x10, 0]
  const frame = [
    [0x41, ...sleb(39), 0x10, 2, 0x04, I32], // if (key(39))
    [0x41, ...sleb(0xff30d030 | 0), 0x05, 0x41, ...sleb(0xff3030d0 | 0), 0x0b],
    [0x21, 1, 0x03, VOID], // colour; loop
    [0x20, 0, 0x20, 1], // address, colour
    [0x20, 0, 0x41, ...sleb(0x400), 0x71, 0x6a], // + a line at some addresses
    [0x36, 2, ...uleb(1024)], // store at 1024 + address
    [0x20, 0, 0x41, 4, 0x6a, 0x22, 0], // address += 4
    [0x41, ...sleb(64 * 64 * 4), 0x48, 0x0d, 0, 0x0b], // until the end
    [0x41, 0, 0x21, 0, 0x41, ...sleb(1024), 0x10, 1], // present(1024)
  ].flat()
  const section = (id: number, items: number[][]) => {
    const body = [...uleb(items.length), ...items.flat()]
    return [id, ...uleb(body.length), ...body]
  }
  const code = (locals: number[], body: number[]) => {
    const whole = [...locals, ...body, 0x0b]
    return [...uleb(whole.length), ...whole]
  }
  return Buffer.from([
    ...MAGIC,
    ...section(1, types),
    ...section(2, imports),
    ...section(3, [[3], [3]]),
    ...section(5, [[1, 1, 2]]),
    ...section(7, [
      [...text('memory'), 2, 0],
      [...text('init'), 0, 3],
      [...text('frame'), 0, 4],
    ]),
    ...section(10, [code([0], init), code([1, 2, I32], frame)]),
  ])
}

const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

function text(value: string): number[] {
  return [value.length, ...Buffer.from(value)]
}

function uleb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...uleb(value >>> 7)]
}

function sleb(value: number): number[] {
  const [low, rest] = [value & 127, value >> 7]
  const isLast = (rest === 0 && !(low & 64)) || (rest === -1 && low & 64)
  return isLast ? [low] : [low | 128, ...sleb(rest)]
}
