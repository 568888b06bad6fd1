/**
 * Clients that write and read concurrently until the server stops responding. They record acknowledged writes
 * and wrong responses.
 */
import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Anyone, anyone, type Answer } from '../../../test/actors.ts'
import { register } from '../../../test/captcha.ts'
import { zipOf } from '../../../test/playing.ts'
import { drawing, makeWav, upload } from '../../../test/uploads.ts'
import { makeVideo } from '../../../test/videos.ts'

export interface User {
  id: string
  onServer(url: string): Anyone
}

export interface Recorded {
  uploads: { url: string; sha256: string }[]
  contents: { id: string; owner: User; type: string }[]
  liked: { contentId: string; actorId: string }[]
  /** Responses with an unexpected status, and upload responses with a wrong hash of the file. */
  unexpected: string[]
  /** Downloads that were complete but had a status other than 200 or different bytes than the stored file. */
  damaged: string[]
}

export interface Flood {
  star: User
  others: User[]
  said: Recorded
}

/** Registers `count` users and one more, the star. The users will like the star's contents. */
export async function startFlood(url: string, count: number): Promise<Flood> {
  const users: User[] = []
  for (let i = 0; i <= count; i++) users.push(await join(url, `crowd_${i}`))
  const [star, ...others] = users as [User, ...User[]]
  // Creates the video before the load starts, because running ffmpeg blocks this process.
  await FILES.video()
  return {
    star,
    others,
    said: { uploads: [], contents: [], liked: [], unexpected: [], damaged: [] },
  }
}

async function join(url: string, handle: string): Promise<User> {
  const anon = anyone(url)
  const { user, tokens } = await register(anon, handle)
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  return { id: user.id, onServer: (server) => anyone(server, headers) }
}

export async function charge({ star, others, said }: Flood, url: string): Promise<void> {
  const loops = [
    write(star, url, said),
    ...others.flatMap((user, i) => [
      i % 3 === 0 ? send(user, url, said, 'video') : send(user, url, said),
      like(user, star, url, said),
    ]),
    read(url, said),
    read(url, said),
  ]
  await Promise.all(loops)
}

/** Returns the response, or undefined when the request fails. Records an unexpected status. */
async function ask(
  asking: Promise<Answer>,
  status: number,
  said: Recorded,
): Promise<Answer | undefined> {
  const answer = await asking.catch(() => undefined)
  if (answer && answer.status !== status) said.unexpected.push(`${answer.status} ${answer.text}`)
  return answer
}

async function write(star: User, url: string, said: Recorded): Promise<void> {
  for (;;) {
    const body = { category: 'hype', type: 'article', title: 'Like me', body: 'Please.' }
    const answer = await ask(star.onServer(url).post('/contents', body), 201, said)
    if (!answer) return
    if (answer.status === 201) {
      said.contents.push({ id: answer.data.content.id, owner: star, type: 'article' })
    }
    await sleep(30)
  }
}

async function send(user: User, url: string, said: Recorded, only?: FileType): Promise<void> {
  for (let turn = 0; ; turn++) {
    const type = only ?? (['image', 'audio', 'game'] as const)[turn % 3] ?? 'image'
    const bytes = await FILES[type]()
    const sent = await ask(upload(user.onServer(url), bytes), 201, said)
    if (!sent) return
    const made = sent.data?.upload
    if (!made) continue
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (made.sha256 !== sha256) said.unexpected.push(`${type} is stored as ${made.sha256}`)
    said.uploads.push({ url: made.url, sha256 })
    const category = type === 'game' ? 'jump' : 'hype'
    const body = { category, type, title: `A ${type}`, upload_ids: [made.id] }
    const answer = await ask(user.onServer(url).post('/contents', body), 201, said)
    if (!answer) return
    if (answer.status === 201) said.contents.push({ id: answer.data.content.id, owner: user, type })
    // Waits after each video, because the server encodes videos more slowly than this loop uploads them.
    if (only) await sleep(400)
  }
}

async function like(user: User, star: User, url: string, said: Recorded): Promise<void> {
  const own = new Set(
    said.liked.filter(({ actorId }) => actorId === user.id).map(({ contentId }) => contentId),
  )
  for (let index = 0; ; ) {
    const content = said.contents[index]
    if (content) index++
    if (content?.owner !== star || own.has(content.id)) {
      if (!content) await sleep(10)
      if (!content && !(await exists(url))) return
      continue
    }
    const answer = await ask(user.onServer(url).put(`/contents/${content.id}/like`), 200, said)
    if (!answer) return
    if (answer.status === 200) said.liked.push({ contentId: content.id, actorId: user.id })
  }
}

async function exists(url: string): Promise<boolean> {
  return anyone(url)
    .get('/api/health')
    .then(
      () => true,
      () => false,
    )
}

async function read(url: string, said: Recorded): Promise<void> {
  for (;;) {
    const entry = said.uploads.length > 0 ? said.uploads[randomInt(said.uploads.length)] : undefined
    try {
      if (entry) await readUpload(url, entry, said)
      else await fetch(`${url}/api/health`)
    } catch {
      // The connection broke before the response was complete. Stops if the server no longer runs.
      if (!(await exists(url))) return
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
