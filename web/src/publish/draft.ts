/** Unsaved content forms, as this device keeps them. */
import type { KeptFile } from './uploads.ts'
import { EMPTY, type Work } from './work.ts'

/** A form of new content. */
export interface NewDraft {
  work: Work
  files: readonly KeptFile[]
  thumbnail: readonly KeptFile[]
}

/** Unsaved changes to existing content. */
export interface EditDraft {
  /** Only the fields that were changed, and what they were before. */
  changed: Partial<Work>
  before: Partial<Work>
  /** The chosen thumbnail, and whether the automatic one is wanted back. */
  thumbnail: readonly KeptFile[]
  isTakenBack: boolean
}

type Json = Partial<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields that are as this version of the client has them. */
function fieldsOf(value: unknown): Partial<Work> {
  if (!isObject(value)) return {}
  const isGood = ([name, field]: [string, unknown]) => {
    if (name === 'tags')
      return Array.isArray(field) && field.every((tag) => typeof tag === 'string')
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

/** Undefined where there is no draft. */
export function readNewDraft(kept: unknown): NewDraft | undefined {
  if (!isObject(kept)) return undefined
  return {
    work: { ...EMPTY, ...fieldsOf(kept['work']) },
    files: filesOf(kept['files']),
    thumbnail: filesOf(kept['thumbnail']),
  }
}

/** Undefined where there is no draft. */
export function readEditDraft(kept: unknown): EditDraft | undefined {
  if (!isObject(kept)) return undefined
  return {
    changed: fieldsOf(kept['changed']),
    before: fieldsOf(kept['before']),
    thumbnail: filesOf(kept['thumbnail']),
    isTakenBack: kept['isTakenBack'] === true,
  }
}

/** The fields in which two versions differ, as the second has them. */
export function differenceOf(before: Work, after: Work): Partial<Work> {
  const fields = Object.entries(after) as [keyof Work, Work[keyof Work]][]
  return Object.fromEntries(fields.filter(([name, value]) => !isSame(before[name], value)))
}

/** True when a field of the draft was changed on the server since, to something else. */
export function isOvertaken({ changed, before }: EditDraft, saved: Work): boolean {
  return (Object.keys(changed) as (keyof Work)[]).some(
    (name) => !isSame(before[name], saved[name]) && !isSame(changed[name], saved[name]),
  )
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
