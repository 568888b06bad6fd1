const RIGHT_ARROW = 39

/** Returns a minimal Flash film: a yellow box that moves right while the right arrow key is down. */
export function makeFilm(): Buffer {
  const box = shape(2, { width: 120, height: 120, rgb: [0xff, 0xd0, 0x20] })
  const sprite = tag(39, u16(3), u16(1), place(1, 2), tag(1), tag(0))
  const script = tag(12, moveWhileHeld(), Buffer.of(0))
  const frames = [
    tag(9, Buffer.of(0x20, 0x40, 0xa0)),
    box,
    sprite,
    place(1, 3, 'box'),
    script,
    tag(1),
    script,
    tag(1),
    tag(0),
  ]
  const body = Buffer.concat([rect(550, 400), u16(24 << 8), u16(2), ...frames])
  return Buffer.concat([Buffer.from('FWS\x06', 'latin1'), u32(body.length + 8), body])
}

/** Returns the bytecode of `if (Key.isDown(39)) x += 20; box._x = x`. */
function moveWhileHeld(): Buffer {
  const step = Buffer.concat([
    push('x', 'x'),
    Buffer.of(0x1c),
    push(20),
    Buffer.of(0x47), // Add2
    Buffer.of(0x1d), // SetVariable
  ])
  return Buffer.concat([
    push(RIGHT_ARROW, 1, 'Key'),
    Buffer.of(0x1c), // GetVariable
    push('isDown'),
    Buffer.of(0x52, 0x12), // CallMethod, Not
    Buffer.of(0x9d),
    u16(2),
    u16(step.length),
    step,
    push('box'),
    Buffer.of(0x1c),
    push('_x', 'x'),
    Buffer.of(0x1c, 0x4f), // GetVariable, SetMember
  ])
}

function push(...values: (string | number)[]): Buffer {
  const items = values.map((value) =>
    typeof value === 'string'
      ? Buffer.concat([Buffer.of(0), Buffer.from(`${value}\0`)])
      : Buffer.concat([Buffer.of(7), u32(value)]),
  )
  const bytes = Buffer.concat(items)
  return Buffer.concat([Buffer.of(0x96), u16(bytes.length), bytes])
}

function shape(
  id: number,
  { width, height, rgb }: { width: number; height: number; rgb: number[] },
): Buffer {
  const bits = new Bits()
  const side = 16
  bits.add(0, 1).add(0b00101, 5) // style change: start point and fill
  bits.add(5, 5).add(0, 5).add(0, 5).add(1, 1)
  for (const [dx, dy] of [
    [width, 0],
    [0, height],
    [-width, 0],
    [0, -height],
  ] as const) {
    bits.add(0b11, 2).add(side - 2, 4)
    bits.add(0, 1).add(dx === 0 ? 1 : 0, 1)
    bits.add((dx === 0 ? dy : dx) * 20, side)
  }
  bits.add(0, 6)
  const styles = Buffer.of(1, 0, ...rgb, 0, 0x10)
  return tag(2, u16(id), rect(width, height), styles, bits.bytes())
}

function place(depth: number, character: number, name?: string): Buffer {
  const flags = name === undefined ? 0x02 : 0x22
  const named = name === undefined ? Buffer.alloc(0) : Buffer.from(`${name}\0`)
  return tag(26, Buffer.of(flags), u16(depth), u16(character), named)
}

function rect(width: number, height: number): Buffer {
  return new Bits()
    .add(16, 5)
    .add(0, 16)
    .add(width * 20, 16)
    .add(0, 16)
    .add(height * 20, 16)
    .bytes()
}

function tag(code: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u16((code << 6) | 0x3f), u32(body.length), body])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value & 0xffff)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Bit writer, most significant bit first. */
class Bits {
  #text = ''
  add(value: number, count: number): this {
    this.#text += (value & (2 ** count - 1)).toString(2).padStart(count, '0')
    return this
  }
  bytes(): Buffer {
    const octets = this.#text.match(/.{1,8}/g) ?? []
    return Buffer.from(octets.map((octet) => parseInt(octet.padEnd(8, '0'), 2)))
  }
}
