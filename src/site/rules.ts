import { type Act, writeAuditEntry } from '../audit/rules.ts'
import type { Config } from '../config.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { newId } from '../db/ids.ts'
import type { SiteRow } from '../db/site-tables.ts'
import { statement } from '../db/statement.ts'
import { ApiError, invalid, type Problem } from '../errors.ts'
import { inLanguage, type LocalText, toLocalText } from '../http/local-text.ts'
import type { Language } from '../messages/language.ts'
import {
  findRules,
  findSite,
  listRules,
  lockSite,
  replaceRules,
  updateSite,
} from '../settings/queries.ts'
import { type Fixed, settingsOf, type SiteSettings } from '../site-settings.ts'
import { holdUploads } from '../uploads/queries.ts'
import { requirePicture } from '../uploads/rules.ts'
import { urlOf } from '../uploads/schema.ts'
import { hasAdmin } from '../users/managed.ts'
import { VERSION } from '../package.ts'
import type { RulesInput, SettingsInput } from './schema.ts'

const SITE = { kind: 'site', id: 'site' } as const

export type SiteConfig = Fixed & Pick<Config, 'maxUploadBytes' | 'smtpUrl' | 'emailVerification'>

/** Returns the public information about the site, with texts in one language. */
export async function getSite(
  db: Handle,
  config: SiteConfig,
  limits: { comment_length: number; message_length: number },
  language: Language,
) {
  const [row, rules, pages, isSetUp] = await Promise.all([
    findSite(db),
    listRules(db),
    listPageTitles(db),
    hasAdmin(db),
  ])
  const { name, description, accent, contact, registration, adult_default } = settingsOf(
    row,
    config,
  )
  const local = (text: string) => inLanguage(JSON.parse(text), language).text
  return {
    site: {
      name,
      description,
      logo_url: row.logo_url,
      accent,
      contact,
      registration,
      adult_default,
      setup_required: !isSetUp,
      mail_configured: config.smtpUrl !== undefined,
      email_verification: config.emailVerification,
      rules: rules.map(({ id, text }) => ({ id, text: local(text) })),
      pages: pages.map(({ slug, title }) => ({ slug, title: local(title) })),
      limits: { max_upload_bytes: config.maxUploadBytes, ...limits },
      version: VERSION,
    },
  }
}

/** Returns all settings of the site for the page that edits them, with the rules in both languages. */
export async function getSiteSettings(db: Handle, fixed: Fixed) {
  const [row, rules] = await Promise.all([findSite(db), listRules(db)])
  return toAdminSite(row, rules, fixed)
}

function toAdminSite(
  row: Readonly<SiteRow>,
  rules: readonly { id: string; text: string }[],
  fixed: Fixed,
) {
  const { logo_upload_id, logo_url, revision } = row
  return {
    settings: { ...settingsOf(row, fixed), logo_upload_id, logo_url },
    locked: Object.keys(fixed.fixedSettings),
    rules: rules.map(toLocalRule),
    revision,
  }
}

function toLocalRule({ id, text }: { id: string; text: string }): { id: string; text: LocalText } {
  return { id, text: JSON.parse(text) }
}

/**
 * Changes the given settings in one transaction. Errors: 422 for a setting that the environment fixes, or a logo that
 * is not a picture uploaded by the actor; 409 EDIT_CONFLICT when `revision` is outdated.
 */
export async function updateSiteSettings(
  db: Handle,
  fixed: Fixed,
  act: Act,
  { revision, logo_upload_id: logoId, ...changes }: SettingsInput,
  now: number,
) {
  if (changes.accent) changes.accent = changes.accent.toLowerCase()
  requireUnlocked(fixed, changes)
  const logo = await findLogo(db, act.actorId ?? '', logoId)
  return db.transaction(async (tx) => {
    const row = await lockSite(tx)
    requireRevision(row.revision, revision)
    if (logo?.logo_upload_id && !(await holdUploads(tx, [logo.logo_upload_id]))) {
      throw invalid('logo_upload_id', 'invalid.upload')
    }
    const stored: Partial<SiteSettings> = { ...JSON.parse(row.settings), ...changes }
    const after = { ...row, settings: JSON.stringify(stored), ...logo }
    if (Object.keys(changes).length > 0 || logo) after.revision++
    await updateSite(tx, after)
    await auditChange(tx, act, settingsWithLogo(row, fixed), settingsWithLogo(after, fixed), now)
    return toAdminSite(after, await listRules(tx), fixed)
  })
}

const settingsWithLogo = (row: SiteRow, fixed: Fixed): Record<string, unknown> => ({
  ...settingsOf(row, fixed),
  logo_upload_id: row.logo_upload_id,
})

/** Writes an audit entry with the fields that differ, or none when no field differs. */
async function auditChange(
  tx: Tx,
  act: Act,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  now: number,
): Promise<void> {
  const changed = Object.keys(after).filter((name) => before[name] !== after[name])
  if (changed.length === 0) return
  const pick = (values: Record<string, unknown>) =>
    Object.fromEntries(changed.map((name) => [name, values[name]]))
  await writeAuditEntry(
    tx,
    act,
    { action: 'site_changed', target: SITE, before: pick(before), after: pick(after) },
    now,
  )
}

function requireUnlocked({ fixedSettings }: Fixed, changes: Record<string, unknown>): void {
  const problems: Problem[] = Object.entries(fixedSettings)
    .filter(([name, value]) => changes[name] !== undefined && changes[name] !== value)
    .map(([field]) => ({ field, key: 'invalid.locked' }))
  if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems })
}

export function requireRevision(current: number, given: number): void {
  if (given !== current) throw new ApiError('EDIT_CONFLICT')
}

/**
 * Returns the columns of the new logo, or undefined when the logo does not change. Errors: 422 unless the new logo is a
 * picture that this user uploaded.
 */
async function findLogo(db: Handle, ownerId: string, id: string | null | undefined) {
  if (id === undefined) return undefined
  if (id === null) return { logo_upload_id: null, logo_url: null }
  const { thumbnail_path } = await requirePicture(db, ownerId, id, 'logo_upload_id')
  return { logo_upload_id: id, logo_url: urlOf(thumbnail_path) }
}

/**
 * Replaces the list of rules. A rule that is given with an id keeps it. Errors: 409 EDIT_CONFLICT; 422 for an
 * unknown or repeated id.
 */
export function updateRules(db: Handle, act: Act, { revision, rules }: RulesInput, now: number) {
  return db.transaction(async (tx) => {
    const row = await lockSite(tx)
    requireRevision(row.revision, revision)
    const given = rules.flatMap(({ id }) => (id === undefined ? [] : [id]))
    const known = new Set((await findRules(tx, given)).map(({ id }) => id))
    const problems: Problem[] = rules.flatMap(({ id }, index) =>
      id === undefined || (known.has(id) && given.indexOf(id) === given.lastIndexOf(id))
        ? []
        : [{ field: `rules.${index}.id`, key: 'invalid.rule' }],
    )
    if (problems.length > 0) throw new ApiError('VALIDATION_ERROR', { problems })
    const list = rules.map(({ id, text }) => ({
      id: id ?? newId('rul', now),
      text: JSON.stringify(toLocalText(text)),
    }))
    const before = await listRules(tx)
    await replaceRules(tx, list, now)
    await updateSite(tx, { ...row, revision: row.revision + 1 })
    const change = {
      action: 'rules_changed' as const,
      target: SITE,
      before: { rules: before.map(toLocalRule) },
      after: { rules: list.map(toLocalRule) },
    }
    await writeAuditEntry(tx, act, change, now)
    return { rules: list.map(toLocalRule), revision: row.revision + 1 }
  })
}

const pages = statement((q) => q.selectFrom('pages').select(['slug', 'title']).orderBy('slug'))

/** Returns slug and title of every page. There are at most 30. */
function listPageTitles(db: Handle) {
  return db.all(pages, {})
}
