import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

/** Where secrets could stand in what is logged. */
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

/** The structured log: one JSON object a line, with the level's name and an ISO time; on standard output unless given. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    // The collector of the lines knows process and host.
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
