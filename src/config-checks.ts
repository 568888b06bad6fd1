/** Checks of settings that depend on each other. The checks throw ConfigError. */
import { ConfigError } from './config-values.ts'

type Url = string | undefined

interface Ports {
  PORT: number
  METRICS_PORT: number | undefined
}

interface Origins {
  GAMES_URL: Url
  PUBLIC_URL: Url
  HOST: string
  PORT: number
}

interface MailValues {
  SMTP_URL: Url
  MAIL_FROM: Url
  EMAIL_VERIFICATION: 'off' | 'required'
  PUBLIC_URL: Url
}

/** Checks that the server, games and metrics have different ports. Games use the port after the server's. */
export function checkPorts({ PORT, METRICS_PORT }: Ports): void {
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

/** Checks that games have another origin than the API, because games are untrusted programs. */
export function checkOrigins({ GAMES_URL, PUBLIC_URL, HOST, PORT }: Origins): void {
  if (!GAMES_URL) return
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  const served = URL.parse(PUBLIC_URL ?? `http://${host}:${PORT}`)?.origin
  if (GAMES_URL === served)
    throw new ConfigError('GAMES_URL must be another origin than PUBLIC_URL')
}

export function checkReplica(values: { DATABASE_REPLICA_URL: Url; DATABASE_URL: Url }): void {
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) {
    throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL, the primary database')
  }
}

export function checkMail({
  SMTP_URL,
  MAIL_FROM,
  EMAIL_VERIFICATION,
  PUBLIC_URL,
}: MailValues): void {
  if (SMTP_URL && !MAIL_FROM) throw new ConfigError('MAIL_FROM must be set when SMTP_URL is')
  if (EMAIL_VERIFICATION === 'off') return
  if (!SMTP_URL) throw new ConfigError('EMAIL_VERIFICATION=required needs SMTP_URL')
  if (!PUBLIC_URL) throw new ConfigError('EMAIL_VERIFICATION=required needs PUBLIC_URL')
}
