import { type Logger, pino, stdTimeFunctions } from 'pino'

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

/** The structured log: one JSON object a line on standard output, with the level's name and an ISO time. */
export function createLog(level: string): Logger {
  return pino({
    level,
    // The collector of the lines knows process and host.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (name) => ({ level: name }) },
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
      censor: '[secret]',
    },
  })
}
