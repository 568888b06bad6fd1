import { SECRET_MIN } from './secrets.ts'

/** Default limit of one job's processor time, in seconds. */
export const JOB_SECONDS = 10_800

export interface Setting<T> {
  /** Meaning of the setting, in one line for docs/settings.md. */
  meaning: string
  /** Default value, as text for docs/settings.md. */
  defaultText: string
  read(text: string | undefined): T
}

/** Error for a missing or wrong setting. The message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export function setting<T>(
  meaning: string,
  fallback: T,
  parse: (text: string) => T,
  defaultText = String(fallback ?? ''),
): Setting<T> {
  const read = (text: string | undefined) =>
    text === undefined || text === '' ? fallback : parse(text)
  return { meaning, defaultText, read }
}

export function integer(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^[0-9]{1,15}$/.test(text) || value < min || value > max) {
      throw new ConfigError(`must be a whole number from ${min} to ${max}`)
    }
    return value
  }
}

export function integers(min: number, max: number) {
  return (text: string): number[] =>
    text.split(',').map((part) => {
      try {
        return integer(min, max)(part.trim())
      } catch {
        throw new ConfigError(
          `must be comma-separated whole numbers from ${min} to ${max}: ${JSON.stringify(part.trim())} is not one`,
        )
      }
    })
}

export function oneOf<const T extends string>(...choices: T[]) {
  return (text: string): T => {
    if (!choices.includes(text as T)) throw new ConfigError(`must be one of ${choices.join(', ')}`)
    return text as T
  }
}

export function url(...protocols: string[]) {
  return (text: string): string => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new ConfigError(`must be a URL that starts with ${protocols.join(' or ')}`)
    }
    return text.replace(/\/+$/, '')
  }
}

/** Parses a contact: an email address, which becomes a mailto: URL, or a mailto:, https: or tel: URL. */
export function contact(value: string): string {
  if (/^[^\s:/@]+@[^\s:/@]+$/.test(value)) return `mailto:${value}`
  if (!/^(?:mailto|https|tel):\S+$/.test(value) || !URL.canParse(value)) {
    throw new ConfigError(
      'must be an email address, or a URL that starts with mailto:, https: or tel:',
    )
  }
  return value
}

export function smtpUrl(value: string): string {
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  const isSmtp = parsed?.protocol === 'smtp:' || parsed?.protocol === 'smtps:'
  if (!parsed?.hostname || !isSmtp) {
    throw new ConfigError('must be a URL that starts with smtp:// or smtps://')
  }
  return value
}

/** Parses an email address, or a name followed by an address in angle brackets. */
export function sender(value: string): string {
  if (!/^(?:[^<>@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value)) {
    throw new ConfigError('must be an email address, or NAME <ADDRESS>')
  }
  return value
}

/** Parses a URL without path, query or credentials. */
export function origin(value: string): string {
  const parsed = new URL(url('http:', 'https:')(value))
  if (parsed.href !== `${parsed.origin}/`) {
    throw new ConfigError('must have nothing after host and port')
  }
  return parsed.origin
}

/** Parses `*` or an origin in the form that browsers send: scheme, host and port. */
export function corsOrigin(text: string): string {
  const value = text.trim().toLowerCase().replace(/\/$/, '')
  if (value !== '*' && !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(value)) {
    throw new ConfigError('must be * or origins such as https://example.com, comma-separated')
  }
  return value
}

export function hexKey(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new ConfigError('must have 64 hex digits')
  return text
}

export function secret(text: string): string {
  if (text.length < SECRET_MIN) {
    throw new ConfigError(`must have at least ${SECRET_MIN} characters`)
  }
  return text
}

/** Returns a parser for texts of 1 to `max` characters. It removes surrounding spaces and normalises to NFC. */
export function shortText(max: number) {
  return (value: string): string => {
    const text = value.trim().normalize('NFC')
    const { length } = [...text]
    if (length < 1 || length > max) throw new ConfigError(`must have 1 to ${max} characters`)
    return text
  }
}

export const text = (value: string): string => value
