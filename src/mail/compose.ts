import { escapeMarkup } from '../http/markup.ts'
import type { MessageKey } from '../messages/en.ts'
import { type Language, message, type MessageParams } from '../messages/language.ts'
import type { MailContent } from './kinds.ts'

export interface Letter {
  language: Language
  subject: string
  /** Plain text of the mail. Each link is on a line of its own. */
  text: string
  html: string
}

interface Site {
  name: string
  url: string
}

/** A paragraph, or a button with the address that it opens. */
type Part = string | { label: string; url: string }

interface Draft {
  subject: string
  parts: Part[]
}

type Translate = (key: Extract<MessageKey, `mail.${string}`>, more?: MessageParams) => string

/** Renders a mail in this language. `link` is the secret link of kinds that have one. */
export function compose(
  mail: MailContent,
  language: Language,
  site: Site,
  link: string | undefined,
): Letter {
  const translate: Translate = (key, more) =>
    message(language, key, {
      site: site.name,
      ...(mail.params as unknown as MessageParams),
      ...more,
    })
  const { subject, parts } = draftOf(mail, language, translate, (path) => link ?? site.url + path)
  return toLetter(language, site, { subject, parts: [translate('mail.greeting'), ...parts] })
}

/** Renders the mail of `plaza mail test`. */
export function composeTest(language: Language, site: Site): Letter {
  const translate: Translate = (key) => message(language, key, { site: site.name })
  const parts = [translate('mail.test.body')]
  return toLetter(language, site, { subject: translate('mail.test.subject'), parts })
}

function toLetter(language: Language, site: Site, { subject, parts }: Draft): Letter {
  const footer = message(language, 'mail.footer', { site: site.name })
  return {
    language,
    subject,
    text: `${[...parts, `-- \n${footer}\n${site.url}`].map(toText).join('\n\n')}\n`,
    html: toHtml(language, subject, parts, { footer, url: site.url }),
  }
}

function draftOf(
  mail: MailContent,
  language: Language,
  t: Translate,
  urlOf: (path: string) => string,
): Draft {
  const account = { label: t('mail.open_account'), url: urlOf('/account') }
  switch (mail.kind) {
    case 'verification':
    case 'password_reset':
    case 'email_changed': {
      const lasts = durationText(language, mail.params.ttl)
      return {
        subject: t(`mail.${mail.kind}.subject`),
        parts: [
          t(`mail.${mail.kind}.body`, { lasts }),
          { label: t(`mail.${mail.kind}.action`), url: urlOf('/') },
          t(`mail.${mail.kind}.note`, { lasts }),
        ],
      }
    }
    case 'password_changed':
      return {
        subject: t('mail.password_changed.subject'),
        parts: [
          t('mail.password_changed.body'),
          t('mail.password_changed.note'),
          { label: t('mail.password_changed.action'), url: urlOf('/forgot-password') },
        ],
      }
    case 'new_sign_in': {
      const time = timeText(language, mail.params.at)
      return {
        subject: t('mail.new_sign_in.subject'),
        parts: [
          t('mail.new_sign_in.body'),
          t('mail.new_sign_in.facts', { at: time }),
          t('mail.new_sign_in.note'),
          account,
        ],
      }
    }
    case 'second_factor_changed':
      return {
        subject: t('mail.second_factor_changed.subject'),
        parts: [
          t(`mail.second_factor_changed.${mail.params.change}`),
          t('mail.second_factor_changed.note'),
          account,
        ],
      }
    case 'application_decided':
      return decided(mail.params, t, urlOf)
    case 'deletion_scheduled': {
      const due = timeText(language, mail.params.due)
      return {
        subject: t('mail.deletion_scheduled.subject'),
        parts: [t('mail.deletion_scheduled.body', { due }), account],
      }
    }
  }
  const until = timeText(language, mail.params.until)
  return {
    subject: t('mail.export_ready.subject'),
    parts: [
      t('mail.export_ready.body', { until }),
      { ...account, url: urlOf('/account?part=data') },
    ],
  }
}

function decided(
  { outcome, reason }: { outcome: 'approved' | 'rejected'; reason: string },
  t: Translate,
  urlOf: (path: string) => string,
): Draft {
  const parts: Part[] = [t(`mail.application_decided.${outcome}.body`)]
  if (reason) parts.push(t('mail.application_decided.reason'))
  if (outcome === 'approved') {
    parts.push({ label: t('mail.application_decided.action'), url: urlOf('/sign-in') })
  }
  return { subject: t(`mail.application_decided.${outcome}.subject`), parts }
}

function toText(part: Part): string {
  return typeof part === 'string' ? part : `${part.label}:\n${part.url}`
}

function toHtml(
  language: Language,
  subject: string,
  parts: readonly Part[],
  { footer, url }: { footer: string; url: string },
): string {
  const body = parts.map((part) => {
    if (typeof part === 'string') return `<p>${escapeMarkup(part).replaceAll('\n', '<br>')}</p>`
    const address = escapeMarkup(part.url)
    return `<p><a href="${address}" style="${BUTTON}">${escapeMarkup(part.label)}</a></p>
<p style="${SMALL}">${address}</p>`
  })
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeMarkup(subject)}</title></head>
<body style="${BODY}">
${body.join('\n')}
<p style="${SMALL}">${escapeMarkup(footer)}<br>${escapeMarkup(url)}</p>
</body>
</html>
`
}

const BODY =
  'max-width:560px;margin:0 auto;padding:24px;font:16px/1.6 system-ui,sans-serif;color:#1d2129;background:#fff'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#fff;text-decoration:none'
const SMALL = 'font-size:13px;color:#5b6270;word-break:break-all'

/** Returns a duration such as "1 hour" or "7 days", in the largest unit that divides it exactly. */
function durationText(language: Language, seconds: number): string {
  const [unit, size] =
    UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? SECOND
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, format).format(seconds / size)
}

const SECOND = ['second', 1] as const
const UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60], SECOND] as const

function timeText(language: Language, time: number): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(language, format).format(time)} UTC`
}
