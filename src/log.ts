import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

const SECRETS = [
  'authorization',
  'x-api-key',
  'x-service-secret',
  'webhook-signature',
  'cookie',
  'password',
  'current_password',
  'new_password',
  'access_token',
  'refresh_token',
  'captcha_token',
  'raw_key',
  'secret',
  'signing_secret',
]

/** Returns a logger that writes one JSON object per line with level name and ISO time, to stdout by default. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    // The log collector adds process id and host.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (name: string) => ({ level: name }) },
    redact: {
      paths: SECRETS.flatMap((name: string) => [`["${name}"]`, `*["${name}"]`]),
      censor: '[secret]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
