/** Receives the webhook events of the demo on a local address, and accepts all of them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function openListener(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/plaza`, close }
}
