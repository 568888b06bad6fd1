/**
 * Clients that upload files, publish them and download uploads until the server stops responding. They record
 * acknowledged uploads and wrong responses.
 */
import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, anyone } from '../../test/actors.ts'
import { zipOf } from '../../test/playing.ts'
import { drawing, makeWav, upload } from '../../test/uploads.ts'
import { makeVideo } from '../../test/videos.ts'

export interface Recorded {
  uploads: { url: string; sha256: string }[]
  contents: { id: string; token: string; type: string }[]
  /** Responses with an unexpected status, and upload responses with a wrong hash of the file. */
  unexpected: string[]
  /** Downloads that were complete but had a status other than 200 or different bytes than the stored file. */
  damaged: string[]
}

/** Lets every user upload, one in three only videos, and two readers download, until the server stops responding. */
export async function flood(url: string, tokens: readonly string[], said: Recorded): Promise<void> {
  // Creates the video before the load starts, because running ffmpeg blocks this process.
  await FILES.video()
  await Promise.all([
    ...tokens.map((token, i) => send(url, token, said, i % 3 === 0 ? 'video' : undefined)),
    read(url, said),
    read(url, said),
  ])
}

export const clientOf = (url: string, token: string) =>
  anyone(url, { authorization: `Bearer ${token}` })

/** Returns the response, or undefined when the request fails. Records an unexpected status. */
async function created(asking: Promise<Answer>, said: Recorded): Promise<Answer | undefined> {
  const answer = await asking.catch(() => undefined)
  if (answer && answer.status !== 201) said.unexpected.push(`${answer.status} ${answer.text}`)
  return answer
}

async function send(url: string, token: string, said: Recorded, only?: FileType): Promise<void> {
  const client = clientOf(url, token)
  for (let turn = 0; ; turn++) {
    const type = only ?? (['image', 'audio', 'game'] as const)[turn % 3] ?? 'image'
    const bytes = await FILES[type]()
    const sent = await created(upload(client, bytes), said)
    if (!sent) return
    const made = sent.data?.upload
    if (!made) continue
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (made.sha256 !== sha256) said.unexpected.push(`${type} is stored as ${made.sha256}`)
    said.uploads.push({ url: made.url, sha256 })
    const category = type === 'game' ? 'jump' : 'hype'
    const body = { category, type, title: `A ${type}`, upload_ids: [made.id] }
    const answer = await created(client.post('/contents', body), said)
    if (!answer) return
    if (answer.status === 201) said.contents.push({ id: answer.data.content.id, token, type })
    // Waits after each video, because the server encodes videos more slowly than this loop uploads them.
    if (only) await sleep(400)
  }
}

async function read(url: string, said: Recorded): Promise<void> {
  for (;;) {
    const entry = said.uploads.length > 0 ? said.uploads[randomInt(said.uploads.length)] : undefined
    try {
      if (entry) await readUpload(url, entry, said)
      await fetch(`${url}/api/health`)
    } catch {
      // The connection broke before the response was complete. Stops if the server no longer runs.
      if (
        await fetch(`${url}/api/health`).then(
          () => false,
          () => true,
        )
      )
        return
    }
    await sleep(5)
  }
}

/** Downloads a stored file and records a wrong response. Rejects when the response is incomplete. */
export async function readUpload(
  server: string,
  { url, sha256 }: { url: string; sha256: string },
  said: Pick<Recorded, 'damaged'>,
): Promise<void> {
  const answer = await fetch(server + url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const found = createHash('sha256').update(bytes).digest('hex')
  if (answer.status !== 200 || found !== sha256) said.damaged.push(`${answer.status} ${url}`)
}

type FileType = 'image' | 'audio' | 'video' | 'game'

let made = 0
let video: Buffer | undefined

/** Creates files with unique bytes, because the server stores identical files only once. */
const FILES: Record<FileType, () => Promise<Buffer>> = {
  image: () => drawing(90, 60).png().toBuffer(),
  audio: async () => makeWav(1),
  video: async () => {
    video ??= readFileSync(makeVideo({ size: '160x120', seconds: 1 }))
    // A `free` box, which readers skip (ISO/IEC 14496-12, 8.1.2).
    const free = Buffer.alloc(16)
    free.writeUInt32BE(16, 0)
    free.write('free', 4, 'latin1')
    free.writeUInt32BE(++made, 8)
    return Buffer.concat([video, free])
  },
  game: () => zipOf({ 'index.html': `<!doctype html><p>${++made}`, 'a.js': `let a = ${made}` }),
}

export function assertWholeMp4(bytes: Buffer, name: string): void {
  const kinds: string[] = []
  let offset = 0
  while (offset + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(offset)
    kinds.push(bytes.toString('latin1', offset + 4, offset + 8))
    assert.ok(length >= 8, name)
    offset += length
  }
  assert.equal(offset, bytes.length, name)
  assert.ok(kinds.includes('moov') && kinds.includes('mdat'), `${name}: ${kinds.join(' ')}`)
}
