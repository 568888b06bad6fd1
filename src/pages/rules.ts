import { type Act, writeAuditEntry } from '../audit/rules.ts'
import type { Handle } from '../db/handle.ts'
import type { PageRow } from '../db/site-tables.ts'
import { ApiError, invalid } from '../errors.ts'
import { toLocalText } from '../http/local-text.ts'
import type { Language } from '../messages/language.ts'
import { lockSite } from '../settings/queries.ts'
import { countPages, deletePageRow, findPage, putPage } from './queries.ts'
import { type PageInput, PAGES_MAX, toLocalPage, toPage } from './schema.ts'

const SLUG = /^[a-z0-9-]{1,40}$/

function requireSlug(slug: string): void {
  if (!SLUG.test(slug)) throw invalid('slug', 'invalid.slug')
}

/**
 * Returns a page of the site in this language, or in the other one if the text is missing. Errors: 422 on
 * `slug`; PAGE_NOT_FOUND.
 */
export async function getPage(db: Handle, slug: string, language: Language) {
  requireSlug(slug)
  const row = await findPage(db, slug)
  if (!row) throw new ApiError('PAGE_NOT_FOUND')
  return toPage(row, language)
}

/**
 * Creates or replaces a page. `revision` is that of the current page, or 0 for a new page. Errors: 422 on `slug`;
 * EDIT_CONFLICT for another `revision`; LIMIT_REACHED when PAGES_MAX pages exist.
 */
export async function updatePage(
  db: Handle,
  act: Act,
  slug: string,
  { title, body, revision }: PageInput,
  now: number,
) {
  requireSlug(slug)
  return db.transaction(async (tx) => {
    await lockSite(tx)
    const before = await findPage(tx, slug)
    if ((before?.revision ?? 0) !== revision) throw new ApiError('EDIT_CONFLICT')
    if (!before && (await countPages(tx)) >= PAGES_MAX) throw new ApiError('LIMIT_REACHED')
    const row: PageRow = {
      slug,
      title: JSON.stringify(toLocalText(title)),
      body: JSON.stringify(toLocalText(body)),
      revision: revision + 1,
      created_at: before?.created_at ?? now,
      updated_at: now,
    }
    await putPage(tx, row)
    const change = {
      action: 'page_changed' as const,
      target: { kind: 'page', id: slug },
      before: before ? titleOf(before) : null,
      after: titleOf(row),
    }
    await writeAuditEntry(tx, act, change, now)
    return toLocalPage(row)
  })
}

/** Returns a page for the audit log, without its body, which can have 50,000 characters. */
function titleOf({ title, revision }: PageRow) {
  return { title: JSON.parse(title), revision }
}

/** Deletes a page, if it exists. Errors: 422 on `slug`. */
export async function deletePage(db: Handle, act: Act, slug: string, now: number): Promise<void> {
  requireSlug(slug)
  await db.transaction(async (tx) => {
    await lockSite(tx)
    const before = await findPage(tx, slug)
    if (!before) return
    await deletePageRow(tx, slug)
    const change = {
      action: 'page_deleted' as const,
      target: { kind: 'page', id: slug },
      before: titleOf(before),
      after: null,
    }
    await writeAuditEntry(tx, act, change, now)
  })
}
