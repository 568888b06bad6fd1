/** A TCP proxy. Tests can cut its connections or make it hang, like a faulty network. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface Wire {
  through(url: string): string
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  /** Stops forwarding without closing any connection. */
  hang(): void
  /** Closes all connections and forwards new ones again. */
  mend(): Promise<void>
  close(): Promise<void>
}

export async function layWire(target: string): Promise<Wire> {
  const { hostname, port: targetPort } = new URL(target)
  const sockets = new Set<Socket>()
  let hangs = false
  let server: Server
  let port = 0
  const hold = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  }
  const open = async () => {
    server = createServer((near) => {
      hold(near)
      if (hangs) return
      const far = connect(Number(targetPort), hostname)
      hold(far)
      near.pipe(far).pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await open()
  return {
    through(url) {
      const through = new URL(url)
      through.port = String(port)
      return through.href
    },
    cut,
    hang() {
      hangs = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    async mend() {
      hangs = false
      if (server.listening) await cut()
      await open()
    },
    async close() {
      if (server.listening) await cut()
    },
  }
}
