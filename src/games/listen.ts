import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { GameLinks } from './links.ts'

type Settings = Pick<Config, 'host' | 'port' | 'gamesUrl'>

const listenTextResolver = (url: string) => `games: serving at ${url}`

/**
 * Listens on the port after PORT, or on any free port when PORT is 0, and sets the port in `links`. When the port after
 * PORT is occupied, listens on any free port. With GAMES_URL, throws instead, because a proxy forwards to the port
 * after PORT.
 */
export async function listenForGames(
  app: FastifyInstance,
  { host, port, gamesUrl }: Settings,
  { links, log }: { links: GameLinks; log: Logger },
): Promise<void> {
  const next = port === 0 ? 0 : port + 1
  try {
    await app.listen({ host, port: next, listenTextResolver })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE') throw error
    if (gamesUrl) {
      throw new Error(`${message}: games are served on the port after PORT; set another PORT`, {
        cause: error,
      })
    }
    await app.listen({ host, port: 0, listenTextResolver })
    const { port: found } = app.server.address() as AddressInfo
    log.warn(
      { taken: next, port: found },
      'games: the port after PORT is taken, using another port',
    )
  }
  links.listensAt((app.server.address() as AddressInfo).port)
}
