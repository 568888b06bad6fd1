import type { KeptFile } from './uploads.ts'
import { type ContentValues, differenceOf, EMPTY, isSame } from './content.ts'

/** A draft's state on the server, as of the last response. */
export interface ServerCopy {
  id: string
  /** `updated_at` of the last response. If the server has a different value, the draft has changed since. */
  updatedAt: string
  /** Values that were last sent to the server. */
  sent: ContentValues
  /** Values that the server stored. They can differ from `sent`, for example in spaces at the ends. */
  stored: ContentValues
  thumbnailId: string | null
  /** Type, category, files and game, which `PATCH` cannot change, as JSON. */
  fixed: string
}

interface NewDraft {
  content: ContentValues
  files: readonly KeptFile[]
  thumbnail: readonly KeptFile[]
  server: ServerCopy | undefined
}

interface EditDraft {
  /** New values of the changed fields. */
  changed: Partial<ContentValues>
  /** Values before the changes. May contain more fields than `changed`. */
  before: Partial<ContentValues>
  /** The chosen thumbnail. Empty if there is none. */
  thumbnail: readonly KeptFile[]
  /** True when saving restores the generated thumbnail. */
  isTakenBack: boolean
}

type Json = Partial<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the fields with values of a valid type. Drops others, because an older client may have stored the draft. */
function fieldsOf(value: unknown): Partial<ContentValues> {
  if (!isObject(value)) return {}
  const isGood = ([name, field]: [string, unknown]) => {
    if (name === 'tags' || name === 'warnings')
      return Array.isArray(field) && field.every((entry) => typeof entry === 'string')
    return name in EMPTY && typeof field === 'string'
  }
  return Object.fromEntries(Object.entries(value).filter(isGood))
}

function filesOf(value: unknown): KeptFile[] {
  if (!Array.isArray(value)) return []
  return value.filter((file): file is KeptFile => {
    if (!isObject(file) || typeof file['name'] !== 'string') return false
    const { upload } = file
    return upload === null || (isObject(upload) && typeof upload['id'] === 'string')
  })
}

export function readNewDraft(cached: unknown): NewDraft | undefined {
  if (!isObject(cached)) return undefined
  return {
    content: { ...EMPTY, ...fieldsOf(cached['content']) },
    files: filesOf(cached['files']),
    thumbnail: filesOf(cached['thumbnail']),
    server: serverCopyOf(cached['server']),
  }
}

function serverCopyOf(value: unknown): ServerCopy | undefined {
  if (!isObject(value)) return undefined
  const { id, updatedAt, fixed, thumbnailId } = value
  if (typeof id !== 'string' || typeof updatedAt !== 'string' || typeof fixed !== 'string') {
    return undefined
  }
  return {
    id,
    updatedAt,
    fixed,
    sent: { ...EMPTY, ...fieldsOf(value['sent']) },
    stored: { ...EMPTY, ...fieldsOf(value['stored']) },
    thumbnailId: typeof thumbnailId === 'string' ? thumbnailId : null,
  }
}

export function readEditDraft(cached: unknown): EditDraft | undefined {
  if (!isObject(cached)) return undefined
  return {
    changed: fieldsOf(cached['changed']),
    before: fieldsOf(cached['before']),
    thumbnail: filesOf(cached['thumbnail']),
    isTakenBack: cached['isTakenBack'] === true,
  }
}

/** True when the server's value of a changed field is neither the old nor the new value in the draft. */
export function isOvertaken(
  { changed, before }: Pick<EditDraft, 'changed' | 'before'>,
  saved: ContentValues,
): boolean {
  return (Object.keys(changed) as (keyof ContentValues)[]).some(
    (name) => !isSame(before[name], saved[name]) && !isSame(changed[name], saved[name]),
  )
}

/**
 * Merges the form's values with the server's version, field by field. If both changed a field differently, uses the
 * form's value and sets `isOvertaken` to true.
 */
export function merge(
  { sent, stored }: Pick<ServerCopy, 'sent' | 'stored'>,
  values: ContentValues,
  fresh: ContentValues,
): { values: ContentValues; isOvertaken: boolean } {
  const changed = differenceOf(sent, values)
  const { category, orientation, controls, entry } = values
  return {
    values: { ...fresh, category, orientation, controls, entry, ...changed },
    isOvertaken: isOvertaken({ changed, before: stored }, fresh),
  }
}
