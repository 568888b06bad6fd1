/** Raw TCP or TLS server that receives Plaza's outgoing requests. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

export interface Peer {
  port: number
  url: string
  connections: number
  open: number
  received: string
}

interface Options {
  host?: string
  tls?: TlsOptions
}

const servers: Server[] = []
const sockets = new Set<Socket>()
after(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

export async function listen(
  talk: (socket: Socket) => unknown,
  { host, tls }: Options = {},
): Promise<Peer> {
  const server = tls ? createTlsServer(tls) : createServer()
  const peer: Peer = { port: 0, url: '', connections: 0, open: 0, received: '' }
  server.on('connection', (socket: Socket) => {
    peer.connections += 1
    peer.open += 1
    sockets.add(socket.on('error', () => {}).on('close', () => (peer.open -= 1)))
  })
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.on('error', () => {}).on('data', (data) => (peer.received += data.toString('latin1')))
    talk(socket)
  })
  servers.push(server)
  await once(server.listen(0, host), 'listening')
  peer.port = (server.address() as AddressInfo).port
  peer.url = `${tls ? 'https' : 'http'}://127.0.0.1:${peer.port}/hook?a=b`
  return peer
}

/** Returns a handler that waits for the whole request, sends this response and closes the connection. */
export function answering(head: string, body: string | Buffer = '') {
  return (socket: Socket): void => {
    let request = ''
    socket.on('data', (data) => {
      request += data.toString('latin1')
      const end = request.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(request)?.[1])
      if (end < 0 || request.length < end + 4 + length) return
      socket.write(`${head}\r\n\r\n`)
      socket.end(body)
    })
  }
}

export function ok(body: string | Buffer = '', ...headers: string[]) {
  const length = `content-length: ${Buffer.byteLength(body)}`
  return answering(['HTTP/1.1 200 OK', ...headers, length].join('\r\n'), body)
}
