import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Cutting {
  /** Of each `every` chunks beyond `bytes`, the first causes a cut. All connections share the count. */
  every: number
  /** Bytes that a connection forwards in `direction` before the cut. */
  bytes: number
  direction: 'there' | 'back'
}

export class CuttingProxy {
  readonly #server = createServer((socket) => this.#join(socket))
  readonly #target: number
  #sockets = new Set<Socket>()
  #count = 0
  cutting: Cutting | undefined
  cut = 0

  private constructor(target: number) {
    this.#target = target
  }

  static async start(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  #join(near: Socket): void {
    const far = connect(this.#target, '127.0.0.1')
    const isDoomed = () => this.cutting !== undefined && this.#count++ % this.cutting.every === 0
    const passed = { there: 0, back: 0 }
    for (const [from, to, direction] of [
      [near, far, 'there'],
      [far, near, 'back'],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      let last: Cutting | undefined
      from.on('data', (data: Buffer) => {
        const { cutting } = this
        // Counts only the bytes since `cutting` was last set.
        if (cutting !== last) passed[direction] = 0
        last = cutting
        passed[direction] += data.length
        const over = passed[direction] - (cutting?.bytes ?? 0)
        if (cutting?.direction !== direction || over < 0 || !isDoomed()) {
          to.write(data)
          return
        }
        this.cut++
        to.write(data.subarray(0, data.length - over), () => {
          near.resetAndDestroy()
          far.resetAndDestroy()
        })
      })
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
