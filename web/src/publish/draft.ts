import type { KeptFile } from './uploads.ts'
import { EMPTY, type ContentValues } from './content.ts'

interface NewDraft {
  content: ContentValues
  files: readonly KeptFile[]
  thumbnail: readonly KeptFile[]
}

interface EditDraft {
  /** New values of the changed fields. */
  changed: Partial<ContentValues>
  /** Values of the same fields before the change. */
  before: Partial<ContentValues>
  /** Chosen thumbnail, or empty. */
  thumbnail: readonly KeptFile[]
  /** True when saving restores the generated thumbnail. */
  isTakenBack: boolean
}

type Json = Partial<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the fields whose values have a valid type. Others are dropped, because an older client may have
 * stored the draft.
 */
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

export function differenceOf(before: ContentValues, after: ContentValues): Partial<ContentValues> {
  const fields = Object.entries(after) as [
    keyof ContentValues,
    ContentValues[keyof ContentValues],
  ][]
  return Object.fromEntries(fields.filter(([name, value]) => !isSame(before[name], value)))
}

/** True when a field of the draft has also been changed elsewhere, to a value other than the draft's. */
export function isOvertaken({ changed, before }: EditDraft, saved: ContentValues): boolean {
  return (Object.keys(changed) as (keyof ContentValues)[]).some(
    (name) => !isSame(before[name], saved[name]) && !isSame(changed[name], saved[name]),
  )
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
