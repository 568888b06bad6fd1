import { type Static, Type } from 'typebox'
import { isEmail } from '../auth/schema.ts'
import type { Problem } from '../errors.ts'
import { checked, choice, integerOrNull, textOrNull } from '../http/fields.ts'
import { LocalTextRecord, localTextInput, requireLanguage } from '../http/local-text.ts'
import { QUOTA_MAX, REGISTRATION_MODES } from '../site-settings.ts'

const contact = {
  maxLength: 254,
  description: 'An email address or an https URL; null: none',
}
const accent = { pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7, description: '`#rrggbb`' }
const AdultDefault = choice(['hide', 'blur'])

const settings = {
  name: Type.String({ minLength: 1, maxLength: 50 }),
  description: Type.String({ maxLength: 300 }),
  contact: textOrNull(contact),
  security_contact: textOrNull(contact),
  accent: textOrNull(accent),
  registration: choice(REGISTRATION_MODES),
  invites_per_user: Type.Integer({ minimum: 0, maximum: 100 }),
  default_quota_bytes: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: QUOTA_MAX,
    description: 'Storage quota of one user; null: unlimited',
  }),
  adult_default: AdultDefault,
  ai_crawlers: choice(['allow', 'deny']),
}
const logoId = {
  maxLength: 100,
  description: 'An uploaded picture of yours; null removes the logo',
}

const RuleText = Type.Object({ id: Type.String(), text: Type.String() }, { title: 'Rule' })
const LocalRule = Type.Object({ id: Type.String(), text: LocalTextRecord }, { title: 'LocalRule' })
const Revision = Type.Integer({
  description: 'Grows with every change of settings or rules',
})

export const SiteAnswer = Type.Object({
  site: Type.Object(
    {
      name: Type.String(),
      description: Type.String(),
      logo_url: textOrNull(),
      accent: textOrNull(),
      contact: textOrNull(),
      registration: settings.registration,
      adult_default: AdultDefault,
      setup_required: Type.Boolean({ description: 'True while no account is an admin' }),
      mail_configured: Type.Boolean(),
      email_verification: choice(['off', 'required']),
      rules: Type.Array(RuleText),
      pages: Type.Array(
        Type.Object({ slug: Type.String(), title: Type.String() }, { title: 'PageLink' }),
      ),
      limits: Type.Object(
        {
          max_upload_bytes: Type.Integer(),
          comment_length: Type.Integer(),
          message_length: Type.Integer(),
        },
        { title: 'SiteLimits' },
      ),
      version: Type.String(),
    },
    { title: 'Site' },
  ),
})

export const AdminSite = Type.Object({
  settings: Type.Object(
    {
      ...settings,
      contact: textOrNull(),
      security_contact: textOrNull(),
      accent: textOrNull(),
      default_quota_bytes: integerOrNull(),
      logo_upload_id: textOrNull(),
      logo_url: textOrNull(),
    },
    { title: 'SiteSettings' },
  ),
  locked: Type.Array(Type.String(), {
    description: 'Settings that the environment of the server fixes',
  }),
  rules: Type.Array(LocalRule),
  revision: Revision,
})

const optional = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, Type.Optional(schema)]),
) as unknown as {
  [K in keyof typeof settings]: ReturnType<typeof Type.Optional<(typeof settings)[K]>>
}

export const SettingsInput = checked(
  Type.Object(
    {
      revision: Type.Integer({ description: 'The revision that the change is based on' }),
      ...optional,
      logo_upload_id: Type.Optional(textOrNull(logoId)),
    },
    { examples: [{ revision: 3, name: 'Plaza', accent: '#3b5bdb', registration: 'invite' }] },
  ),
  (input, problems) => {
    checkSiteName('name', input.name, problems)
    for (const field of ['contact', 'security_contact'] as const) {
      checkContact(field, input[field], problems)
    }
  },
)
export type SettingsInput = Static<typeof SettingsInput>

/**
 * Reports control characters and bidirectional controls in the site's name. A line break could forge a link in a
 * plain-text mail.
 */
export function checkSiteName(field: string, value: unknown, problems: Problem[]): void {
  if (typeof value !== 'string' || !/[\p{Cc}\p{Bidi_Control}]/u.test(value)) return
  problems.push({ field, key: 'invalid.characters' })
}

function checkContact(field: string, value: unknown, problems: Problem[]): void {
  if (typeof value !== 'string' || isEmail(value)) return
  const isUrl = /^https:\/\/[^\s/]/i.test(value) && URL.canParse(value)
  if (!isUrl) problems.push({ field, key: 'invalid.contact' })
}

export const RulesInput = checked(
  Type.Object(
    {
      revision: Type.Integer({ description: 'The revision that the change is based on' }),
      rules: Type.Array(
        Type.Object({
          id: Type.Optional(
            Type.String({ maxLength: 100, description: 'Keeps the id of an existing rule' }),
          ),
          text: localTextInput({ minLength: 1, maxLength: 300 }),
        }),
        { maxItems: 30 },
      ),
    },
    {
      examples: [
        {
          revision: 3,
          rules: [{ text: { ko: '서로 존중해 주세요.', en: 'Respect each other.' } }],
        },
      ],
    },
  ),
  ({ rules }, problems) => {
    if (!Array.isArray(rules)) return
    for (const [index, rule] of rules.entries()) {
      requireLanguage(`rules.${index}.text`, rule?.text, problems)
    }
  },
)
export type RulesInput = Static<typeof RulesInput>

export const RulesAnswer = Type.Object({ rules: Type.Array(LocalRule), revision: Revision })
