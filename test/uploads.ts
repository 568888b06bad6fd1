import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { Anyone, Answer, Loose } from './actors.ts'
import type { TestApp } from './app.ts'
import { dataOf } from './make.ts'

const BOUNDARY = 'a boundary of these tests'
export const FORM_TYPE = `multipart/form-data; boundary="${BOUNDARY}"`

export function part(
  name: string,
  bytes: Buffer | string,
  { fileName, headers = [] }: { fileName?: string; headers?: string[] } = {},
): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`
  const lines = [`--${BOUNDARY}`, `Content-Disposition: form-data; name="${name}"${file}`]
  const head = [...lines, ...headers, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')])
}

export function form(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

export function formWith(bytes: Buffer | string, fileName = 'a.bin'): Buffer {
  return form(part('file', bytes, { fileName }))
}

export function sendForm(
  caller: Anyone,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return caller.request('POST', '/uploads', undefined, {
    raw: body,
    headers: { 'content-type': FORM_TYPE, ...headers },
  })
}

export function upload(caller: Anyone, bytes: Buffer | string, fileName?: string): Promise<Answer> {
  return sendForm(caller, formWith(bytes, fileName))
}

export async function makeUpload(caller: Anyone, bytes: Buffer | string): Promise<Loose> {
  return dataOf(await upload(caller, bytes), 201).upload
}

export async function served(app: TestApp, url: string): Promise<Buffer> {
  const answer = await fetch(app.url + url)
  assert.equal(answer.status, 200, url)
  return Buffer.from(await answer.arrayBuffer())
}

export async function assertNothingLeft(app: TestApp): Promise<void> {
  const list = () => readdirSync(app.deps.staging.folder)
  for (let i = 0; i < 100 && list().length > 0; i++)
    await new Promise((done) => setTimeout(done, 20))
  assert.deepEqual(list(), [])
}

let made = 0

/** Returns a picture whose left and right halves differ. Its bytes are unique. */
export function drawing(width = 60, height = 40): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  const seed = ++made
  for (let index = 0; index < width * height; index++) {
    const isLeft = index % width < width / 2
    pixels.writeUIntBE(isLeft ? 0xc83214 : 0x1432c8, index * 3, 3)
  }
  pixels.writeUIntBE(seed, 0, 3)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

export function makePng(): Promise<Buffer> {
  return drawing().png().toBuffer()
}

/** The smallest valid WebAssembly module. */
export const WASM = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])

/** Returns an almost silent mono WAV with 16 bits per sample and unique bytes. */
export function makeWav(seconds = 1, rate = 8000): Buffer {
  const data = Buffer.alloc(Math.round(seconds * rate) * 2)
  data.writeUInt16LE(++made % 65_536, 0)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** Returns a unique MP4 of this length with a valid first box and no decodable media. */
export function makeBrokenMp4(length = 64): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32BE(24, 0)
  bytes.write('ftypisom\0\0\x02\0isommp42', 4, 'latin1')
  bytes.writeUInt32BE(length - 24, 24)
  bytes.write('mdat', 28, 'latin1')
  if (length >= 40) bytes.writeUInt32BE(++made, 36)
  return bytes
}

export function pngChunk(name: string, content: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(name, 'latin1'), content])
  bytes.writeUInt32BE(content.length, 0)
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(bytes.subarray(4)))
  return Buffer.concat([bytes, end])
}
