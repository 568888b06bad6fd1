/** Which names the files of an archive may have, and which files are left out. */
import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import { BundleRefused, shown } from './bundle.ts'

const PATH_BYTES = 1000
const PART_BYTES = 255
const DEPTH = 32
const UTF8_FLAG = 0x800
/** Info-ZIP's Unicode Path (APPNOTE.TXT, 4.6.9). */
const UNICODE_PATH = 0x7075
/** The common part of code page 949, in which Windows in Korea writes names. */
const korean = new TextDecoder('euc-kr', { fatal: true })

/**
 * The path of an entry, in NFC; that of a folder ends with `/`. A name that is neither UTF-8 nor,
 * where it does not claim to be that, in the code page of Korean is not allowed.
 * Errors: BundleRefused.
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
  // Before anything normalises it: time goes with the square of its length.
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
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f\\]/.test(path) || /^[a-z]:/i.test(path)) return false
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  return (
    parts.length <= DEPTH &&
    parts.every(
      // `.` and `..` end with a dot too.
      (part) => part !== '' && !/[. ]$/.test(part) && Buffer.byteLength(part) <= PART_BYTES,
    )
  )
}

/** Whether a file is none of the game's: hidden, or left by a system. */
export function isLeftOut(path: string): boolean {
  return /(^|\/)(\.|__MACOSX\/|thumbs\.db$|desktop\.ini$)/i.test(path)
}

/** Names that some system takes for one and the same fold into the same text. */
function fold(path: string): string {
  return path.toLowerCase().normalize('NFC')
}

/** Errors: BundleRefused where two files, or a file and a folder, have one name, whatever its case. */
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
