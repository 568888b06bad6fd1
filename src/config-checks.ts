/** Checks of settings that depend on each other. They throw ConfigError. */
import { ConfigError } from './config-values.ts'

/** The server, games and metrics need different ports. Games use the port after the server's. */
export function checkPorts({
  PORT,
  METRICS_PORT,
}: {
  PORT: number
  METRICS_PORT: number | undefined
}): void {
  if (PORT === 65_535) {
    throw new ConfigError(
      'PORT must be at most 65534: games (GAMES_URL) are served on the port after it',
    )
  }
  if (PORT === 0 || METRICS_PORT === undefined) return
  if (METRICS_PORT === PORT) throw new ConfigError('METRICS_PORT must be another port than PORT')
  if (METRICS_PORT === PORT + 1) {
    throw new ConfigError(
      `METRICS_PORT must not be the port after PORT: games are served on ${METRICS_PORT}`,
    )
  }
}

/** Games are untrusted programs, so they need another origin than the API. */
export function checkOrigins({
  GAMES_URL,
  PUBLIC_URL,
  HOST,
  PORT,
}: {
  GAMES_URL: string | undefined
  PUBLIC_URL: string | undefined
  HOST: string
  PORT: number
}): void {
  if (!GAMES_URL) return
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  const served = URL.parse(PUBLIC_URL ?? `http://${host}:${PORT}`)?.origin
  if (GAMES_URL === served)
    throw new ConfigError('GAMES_URL must be another origin than PUBLIC_URL')
}
