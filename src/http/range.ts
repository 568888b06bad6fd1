import type { ByteRange } from '../storage/store.ts'

const SINGLE = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i

/**
 * Returns the byte range that a `Range` header requests from a file of this size (RFC 9110, section 14).
 * - `none`: the range lies outside the file.
 * - `whole`: there is no header, or one that a server may ignore (other unit, invalid, several ranges).
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const match = header === undefined ? null : SINGLE.exec(header)
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'none'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
