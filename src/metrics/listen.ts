/** Serves `GET /metrics` on a separate port, which must not be public. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Metrics } from './metrics.ts'

export class MetricsListener {
  readonly #server: Server
  readonly #config: Config
  readonly #log: Logger

  constructor(metrics: Metrics, config: Config, log: Logger) {
    this.#config = config
    this.#log = log
    this.#server = createServer({ requestTimeout: 10_000 }, (request, response) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (request.url?.split('?')[0] !== '/metrics' || !isRead) {
        response.writeHead(404).end()
        return
      }
      metrics.expose().then(
        ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
        (error: unknown) => {
          log.error({ err: error }, 'metrics: collecting failed')
          response.writeHead(500).end()
        },
      )
    })
  }

  /** Starts to listen. Errors: an Error that names METRICS_PORT when the port is occupied. */
  async listen(): Promise<void> {
    const { host, metricsPort } = this.#config
    this.#server.listen(metricsPort, host)
    try {
      await once(this.#server, 'listening')
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE') throw error
      throw new Error(`${message}: another program uses this port; set METRICS_PORT`, {
        cause: error,
      })
    }
    const { port } = this.#server.address() as AddressInfo
    const name = host.includes(':') ? `[${host}]` : host
    this.#log.info(`metrics are served at http://${name}:${port}/metrics`)
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
