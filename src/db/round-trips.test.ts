import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, dropDatabase, ENGINE, newDatabase, startApp } from '../../test/app.ts'
import { dataOf, makeComment, makeContent } from '../../test/make.ts'

/** Delay in each direction in milliseconds. It is long enough that concurrent queries count as one round trip. */
const WAY_MS = 4

/**
 * Forwards connections to the database and counts round trips. A round trip begins when a client sends data after
 * the server has sent data.
 */
class CountingProxy {
  trips = 0
  #isSending = false
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(target: URL) {
    this.#server = createServer((client) => {
      const server = connect(Number(target.port), target.hostname)
      this.#forward(client, server, true)
      this.#forward(server, client, false)
    })
  }

  #forward(from: Socket, to: Socket, isSending: boolean): void {
    this.#sockets.add(from)
    from.setNoDelay(true)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.on('data', (chunk) => {
      if (isSending && !this.#isSending) this.trips++
      this.#isSending = isSending
      setTimeout(() => to.writable && to.write(chunk), WAY_MS)
    })
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

const skip = ENGINE !== 'postgres' && 'SQLite has no connection to count trips on'

async function start() {
  const direct = await newDatabase()
  assert.ok(direct)
  const url = new URL(direct)
  const proxy = new CountingProxy(new URL(direct))
  url.port = String(await proxy.listen())
  after(async () => {
    proxy.close()
    await dropDatabase(direct)
  })
  const app = await startApp({ DATABASE_URL: url.href })
  const [author, viewer] = [await app.user(), await app.user()]
  const content = await makeContent(author)
  await makeComment(author, content.id)
  dataOf(await viewer.put(`/contents/${content.id}/bookmark`))
  /**
   * Returns the number of round trips of a request: the lowest of six measurements, because the server's
   * background queries add round trips to some.
   */
  const tripsOf = async (ask: (viewer: Actor) => Promise<unknown>) => {
    const counted: number[] = []
    for (let i = 0; i < 6; i++) {
      await sleep(3 * WAY_MS)
      const before = proxy.trips
      await ask(viewer)
      const trips = proxy.trips - before
      // Ignores a measurement of zero: the request shared a round trip with a background query.
      if (trips > 0) counted.push(trips)
    }
    return Math.min(...counted)
  }
  return { author, content, tripsOf }
}

const world = skip ? undefined : await start()

const TOGGLES = {
  like: (id: string) => `/contents/${id}/like`,
  bookmark: (id: string) => `/contents/${id}/bookmark`,
  follow: (_: string, handle: string) => `/creators/${handle}/follow`,
}

for (const [name, path] of Object.entries(TOGGLES)) {
  test(`needs at most five round trips for a ${name} and its undo`, { skip }, async () => {
    assert.ok(world)
    const { author, content, tripsOf } = world
    const url = path(content.id, author.handle)
    assert.ok((await tripsOf(async (viewer) => dataOf(await viewer.post(url)))) <= 5)
    assert.ok((await tripsOf(async (viewer) => dataOf(await viewer.put(url)))) <= 5)
  })
}

const READS = {
  'the number of unread notifications': () => '/notifications/unread-count',
  'the notifications': () => '/notifications',
  'the home feed': () => '/feeds',
  'own bookmarks': () => '/users/me/bookmarks',
  "a content's comments": (id: string) => `/contents/${id}/comments`,
}

for (const [name, path] of Object.entries(READS)) {
  test(`needs at most two round trips to read ${name}`, { skip }, async () => {
    assert.ok(world)
    const { content, tripsOf } = world
    const trips = await tripsOf(async (viewer) => dataOf(await viewer.get(path(content.id))))
    assert.ok(trips >= 1 && trips <= 2, `${trips} times`)
  })
}
