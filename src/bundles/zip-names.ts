import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import { BundleRefused, shown } from './bundle.ts'

const PATH_BYTES = 1000
const PART_BYTES = 255
const DEPTH = 32
const UTF8_FLAG = 0x800
const UNICODE_PATH = 0x7075
/** Korean Windows stores names in CP949, which web standards call EUC-KR. */
const korean = new TextDecoder('euc-kr', { fatal: true })

/**
 * Returns the path of an entry in NFC, with a final `/` for folders. A name that is not valid UTF-8 is decoded
 * as EUC-KR, unless the entry declares UTF-8. Errors: BundleRefused.
 */
export function readPath(entry: Entry): string {
  const raw = unicodePath(entry) ?? entry.fileNameRaw
  const mustBeUtf8 = raw !== entry.fileNameRaw || (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0
  const text = decode(raw, mustBeUtf8)
  const path = text?.normalize('NFC')
  if (path === undefined || !isAllowed(path)) refusePath(text ?? raw.toString('latin1'))
  return path
}

function decode(raw: Buffer, mustBeUtf8: boolean): string | undefined {
  // Limits the length first, because normalising can take quadratic time.
  if (raw.length > PATH_BYTES + 1) return undefined
  if (isUtf8(raw)) return raw.toString()
  if (mustBeUtf8) return undefined
  try {
    return korean.decode(raw)
  } catch {
    return undefined
  }
}

function unicodePath({ extraFields, fileNameRaw }: Entry): Buffer | undefined {
  const data = extraFields.find(({ id }) => id === UNICODE_PATH)?.data
  if (!data || data.length < 6 || data[0] !== 1) return undefined
  return data.readUInt32LE(1) === crc32(fileNameRaw) ? data.subarray(5) : undefined
}

function isAllowed(path: string): boolean {
  if (Buffer.byteLength(path) > PATH_BYTES) return false
  // oxlint-disable-next-line no-control-regex -- the pattern rejects control characters
  if (/[\u0000-\u001f\u007f-\u009f\\]/.test(path) || /^[a-z]:/i.test(path)) return false
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  return (
    parts.length <= DEPTH &&
    parts.every(
      // Rejecting a final dot also rejects the segments `.` and `..`.
      (part) => part !== '' && !/[. ]$/.test(part) && Buffer.byteLength(part) <= PART_BYTES,
    )
  )
}

/** True for hidden files and folders, and for files that operating systems add. */
export function isIgnored(path: string): boolean {
  return /(^|\/)(\.|__MACOSX\/|thumbs\.db$|desktop\.ini$)/i.test(path)
}

/** Returns the same text for paths that a case-insensitive file system treats as equal. */
function fold(path: string): string {
  return path.toLowerCase().normalize('NFC')
}

/** Checks that no two files, and no file and folder, have the same path ignoring case. Errors: BundleRefused. */
export function requireDistinct(paths: readonly string[]): void {
  const files = new Map<string, string>()
  const folders = new Set<string>()
  for (const path of paths) {
    const folded = fold(path)
    if (!folded.endsWith('/')) {
      if (files.has(folded)) refuseClash(path)
      files.set(folded, path)
    }
    for (let end = folded.lastIndexOf('/'); end > 0; end = folded.lastIndexOf('/', end - 1)) {
      const folder = folded.slice(0, end)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  for (const [folded, path] of files) if (folders.has(folded)) refuseClash(path)
}

function refuseClash(path: string): never {
  throw new BundleRefused('invalid.bundle_clash', { path: shown(path) })
}

function refusePath(path: string): never {
  throw new BundleRefused('invalid.bundle_path', { path: shown(path) })
}
