/** Writes Flash films (SWF File Format Specification 19) from shapes and animated clips. */
import { deflateSync } from 'node:zlib'

const TWIPS = 20
const VERSION = 8

export type Point = readonly [x: number, y: number]
/** Red, green, blue and alpha, each up to 255. */
export type Colour = readonly [number, number, number, number?]

export type Fill =
  | { kind: 'solid'; colour: Colour }
  /** A linear gradient from y = 0 down to `height`. */
  | { kind: 'down'; colours: readonly Colour[]; height: number }
  /** A radial gradient from the centre. */
  | { kind: 'outward'; colours: readonly Colour[]; radius: number }

export interface Outline {
  fill: Fill
  points: readonly Point[]
  /** Every second point is the control point of a curve. */
  isCurved?: boolean
}

interface Matrix {
  x?: number
  y?: number
  scale?: number
  /** Rotation in degrees. */
  turn?: number
}

/** Returns a compressed film of one frame. */
export function film(
  { width, height, rate, ground }: { width: number; height: number; rate: number; ground: Colour },
  tags: readonly Buffer[],
): Buffer {
  const body = Buffer.concat([
    bounds([
      [0, 0],
      [width, height],
    ]),
    u16(rate << 8),
    u16(1),
    // ActionScript 1 or 2, and no network.
    tag(69, u32(0)),
    tag(9, Buffer.from(ground.slice(0, 3) as number[])),
    ...tags,
    SHOW_FRAME,
    END,
  ])
  const start = Buffer.from(`CWS${String.fromCharCode(VERSION)}`, 'latin1')
  return Buffer.concat([start, u32(body.length + 8), deflateSync(body)])
}

/** DefineShape3. Later outlines cover earlier ones. At most 15 different fills. */
export function shape(id: number, outlines: readonly Outline[]): Buffer {
  const fills: Fill[] = []
  const bits = new Bits()
  for (const outline of outlines) {
    if (JSON.stringify(outline.fill) !== JSON.stringify(fills.at(-1))) fills.push(outline.fill)
    addOutline(bits, outline, fills.length)
  }
  bits.add(0, 6)
  return tag(
    32,
    u16(id),
    bounds(outlines.flatMap(({ points }) => points)),
    Buffer.from([fills.length]),
    ...fills.map(toStyle),
    Buffer.from([0, STYLE_BITS << 4]),
    bits.bytes(),
  )
}

const STYLE_BITS = 4
/** The largest size that the format allows. */
const EDGE_BITS = 17

function addOutline(bits: Bits, { points, isCurved }: Outline, style: number): void {
  const [start, ...rest] = points.map(([x, y]): Point => [twips(x), twips(y)])
  let [x, y] = start as Point
  // StyleChangeRecord: the start point, and the fill on the right-hand side.
  bits.add(0, 1).add(0b00101, 5).add(20, 5).add(x, 20).add(y, 20).add(style, STYLE_BITS)
  const go = (to: Point) => {
    const step = [to[0] - x, to[1] - y] as const
    ;[x, y] = to
    return step
  }
  const ends = [...rest, start as Point]
  for (let at = 0; at < ends.length; at++) {
    const [dx, dy] = go(ends[at] as Point)
    if (!isCurved) {
      bits
        .add(0b11, 2)
        .add(EDGE_BITS - 2, 4)
        .add(1, 1)
        .add(dx, EDGE_BITS)
        .add(dy, EDGE_BITS)
      continue
    }
    const [ax, ay] = go(ends[++at] as Point)
    bits.add(0b10, 2).add(EDGE_BITS - 2, 4)
    for (const value of [dx, dy, ax, ay]) bits.add(value, EDGE_BITS)
  }
}

function toStyle(fill: Fill): Buffer {
  if (fill.kind === 'solid') return Buffer.from([0, ...rgba(fill.colour)])
  const { colours } = fill
  const stops = colours.flatMap((colour, at) => [
    Math.round((at / (colours.length - 1)) * 255),
    ...rgba(colour),
  ])
  // The gradient square is 32768 twips wide and centred at the origin.
  const matrix =
    fill.kind === 'down'
      ? toMatrix({ y: fill.height / 2, scale: (fill.height * TWIPS) / 32_768, turn: 90 })
      : toMatrix({ scale: (fill.radius * 2 * TWIPS) / 32_768 })
  const kind = fill.kind === 'down' ? 0x10 : 0x12
  return Buffer.concat([Buffer.of(kind), matrix, Buffer.from([colours.length, ...stops])])
}

function rgba([red, green, blue, alpha = 255]: Colour): number[] {
  return [red, green, blue, alpha]
}

/** Returns a circle as eight curves. */
export function disc([x, y]: Point, radius: number): Pick<Outline, 'points' | 'isCurved'> {
  const points = Array.from({ length: 16 }, (_, i): Point => {
    const angle = (i / 16) * Math.PI * 2
    const far = i % 2 === 0 ? radius : radius / Math.cos(Math.PI / 8)
    return [x + Math.cos(angle) * far, y + Math.sin(angle) * far]
  })
  return { points, isCurved: true }
}

/** DefineSprite: an animated clip. Each frame is a list of tags. */
export function clip(id: number, frames: readonly (readonly Buffer[])[]): Buffer {
  return tag(
    39,
    u16(id),
    u16(frames.length),
    ...frames.flatMap((tags) => [...tags, SHOW_FRAME]),
    END,
  )
}

/** PlaceObject2. */
export function place(depth: number, character: number, matrix: Matrix, name?: string): Buffer {
  const flags = 0x02 | 0x04 | (name === undefined ? 0 : 0x20)
  const named = name === undefined ? Buffer.alloc(0) : Buffer.from(`${name}\0`)
  return tag(26, Buffer.of(flags), u16(depth), u16(character), toMatrix(matrix), named)
}

/** PlaceObject2 that moves the object at this depth. */
export function move(depth: number, matrix: Matrix): Buffer {
  return tag(26, Buffer.of(0x01 | 0x04), u16(depth), toMatrix(matrix))
}

/** DoAction. */
export function script(actions: Buffer): Buffer {
  return tag(12, actions, Buffer.of(0))
}

function toMatrix({ x = 0, y = 0, scale = 1, turn = 0 }: Matrix): Buffer {
  const angle = (turn / 180) * Math.PI
  const [along, across] = [Math.cos(angle) * scale, Math.sin(angle) * scale].map((value) =>
    Math.round(value * 65_536),
  ) as [number, number]
  const bits = new Bits()
  bits.add(1, 1).add(24, 5).add(along, 24).add(along, 24)
  bits.add(1, 1).add(24, 5).add(across, 24).add(-across, 24)
  return bits.add(20, 5).add(twips(x), 20).add(twips(y), 20).bytes()
}

function bounds(points: readonly Point[]): Buffer {
  const bits = new Bits().add(20, 5)
  for (const axis of [0, 1] as const) {
    const values = points.map((point) => twips(point[axis]))
    bits.add(Math.min(...values), 20).add(Math.max(...values), 20)
  }
  return bits.bytes()
}

function twips(pixels: number): number {
  return Math.round(pixels * TWIPS)
}

function tag(code: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u16((code << 6) | 0x3f), u32(body.length), body])
}

const SHOW_FRAME = tag(1)
const END = tag(0)

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A bit writer for numbers of up to 32 bits, highest bit first. */
class Bits {
  #text = ''

  add(value: number, count: number): this {
    this.#text += (value >>> 0).toString(2).padStart(32, '0').slice(-count)
    return this
  }

  bytes(): Buffer {
    const octets = this.#text.match(/.{1,8}/g) ?? []
    return Buffer.from(octets.map((octet) => parseInt(octet.padEnd(8, '0'), 2)))
  }
}
