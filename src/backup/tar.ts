/**
 * File headers of tar archives (POSIX ustar). A header is one block before the bytes of the file. Sizes of 8 GiB and
 * more are in base 256, as in GNU tar and bsdtar.
 */
export const BLOCK = 512

const OCTAL_MAX = 8 ** 11 - 1
const NAME_MAX = 100
const PREFIX_MAX = 155

const AT = {
  name: 0,
  mode: 100,
  uid: 108,
  gid: 116,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
  magic: 257,
  prefix: 345,
}
const MAGIC = 'ustar\x0000'
const ORDINARY_FILE = '0'
/** First byte of a size in base 256. Of the other eleven bytes, only the last six are used. */
const BASE_256 = 0x80

export interface Header {
  name: string
  size: number
}

/**
 * Returns a header with file mode 600. `time` is Unix time in seconds. Errors: an Error when the name is too
 * long.
 */
export function writeHeader({ name, size }: Header, time: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  // Splits a long name at a slash into two fields. The slash itself is in neither.
  const cut = Buffer.byteLength(name) > NAME_MAX ? name.lastIndexOf('/') : -1
  const last = name.slice(cut + 1)
  const prefix = name.slice(0, Math.max(cut, 0))
  if (Buffer.byteLength(last) > NAME_MAX || Buffer.byteLength(prefix) > PREFIX_MAX) {
    throw new Error(`the name is too long for an archive: ${name}`)
  }
  block.write(last, AT.name)
  block.write(prefix, AT.prefix)
  block.write(octal(0o600, 7), AT.mode)
  block.write(octal(0, 7), AT.uid)
  block.write(octal(0, 7), AT.gid)
  if (size <= OCTAL_MAX) block.write(octal(size, 11), AT.size)
  else {
    block[AT.size] = BASE_256
    block.writeUIntBE(size, AT.size + 6, 6)
  }
  block.write(octal(time, 11), AT.time)
  block.write(ORDINARY_FILE, AT.type)
  block.write(MAGIC, AT.magic)
  block.write(sumOf(block), AT.sum)
  return block
}

/** Parses a header. Returns undefined unless the block is a valid header of a regular file. */
export function readHeader(block: Buffer): Header | undefined {
  if (block.length !== BLOCK || text(block, AT.magic, MAGIC.length) !== 'ustar') return undefined
  if (block.toString('latin1', AT.sum, AT.type) !== sumOf(block)) return undefined
  if (text(block, AT.type, 1) !== ORDINARY_FILE) return undefined
  const last = text(block, AT.name, NAME_MAX)
  const prefix = text(block, AT.prefix, PREFIX_MAX)
  const size =
    block[AT.size] === BASE_256
      ? block.readUIntBE(AT.size + 6, 6)
      : Number.parseInt(text(block, AT.size, 12), 8)
  return { name: prefix ? `${prefix}/${last}` : last, size }
}

export function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

function sumOf(block: Buffer): string {
  let sum = 8 * 0x20
  for (const [index, byte] of block.entries()) if (index < AT.sum || index >= AT.type) sum += byte
  return `${octal(sum, 6)}\0 `
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function text(block: Buffer, offset: number, length: number): string {
  const bytes = block.subarray(offset, offset + length)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? length : end)
}
