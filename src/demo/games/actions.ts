/** Assembles ActionScript byte code for Flash films (SWF 19, chapter 5). */

export type Actions = Buffer
type Value = Actions | number | string

/** Pushes a text or number on the stack. A computed value is already there. */
function push(value: Value): Actions {
  if (Buffer.isBuffer(value)) return value
  const item =
    typeof value === 'string'
      ? Buffer.from(`\0${value}\0`)
      : Buffer.concat([Buffer.of(6), real(value)])
  return Buffer.concat([Buffer.of(0x96), u16(item.length), item])
}

/** Encodes a double, whose two halves Flash stores in reverse order. */
function real(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return Buffer.concat([bytes.subarray(4), bytes.subarray(0, 4)])
}

function compute(code: number, ...values: Value[]): Actions {
  return Buffer.concat([...values.map(push), Buffer.of(code)])
}

export const add = (one: Value, other: Value) => compute(0x47, one, other)
export const subtract = (one: Value, other: Value) => compute(0x0b, one, other)
export const multiply = (one: Value, other: Value) => compute(0x0c, one, other)
export const divide = (one: Value, other: Value) => compute(0x0d, one, other)
export const less = (one: Value, other: Value) => compute(0x48, one, other)
export const greater = (one: Value, other: Value) => compute(0x67, one, other)
export const or = (one: Value, other: Value) => compute(0x11, one, other)
export const not = (value: Value) => compute(0x12, value)
/** A random whole number from 0 up to, but not including, `below`. */
export const random = (below: number) => compute(0x30, below)

/** Reads a variable of the film or a clip in it. */
export function get(name: string): Actions {
  return compute(0x1c, name)
}

export function set(name: string, value: Value): Actions {
  return compute(0x1d, name, value)
}

export function getOf(clip: string, property: string): Actions {
  return compute(0x4e, get(clip), property)
}

export function setOf(clip: string, property: string, value: Value): Actions {
  return compute(0x4f, get(clip), property, value)
}

/** Calls a method of a clip with these arguments, and leaves the result on the stack. */
export function call(clip: string, method: string, ...values: Value[]): Actions {
  return compute(0x52, ...values.toReversed(), values.length, get(clip), method)
}

export function when(condition: Value, then: Actions[], otherwise: Actions[] = []): Actions {
  const [yes, no] = [Buffer.concat(then), Buffer.concat(otherwise)]
  const past = no.length > 0 ? jump(0x99, no.length) : Buffer.alloc(0)
  const skip = jump(0x9d, yes.length + past.length)
  return Buffer.concat([not(condition), skip, yes, past, no])
}

function jump(code: number, length: number): Actions {
  return Buffer.concat([Buffer.of(code), u16(2), u16(length)])
}

/** Runs these actions at each frame of the film. */
export function atEachFrame(...actions: Actions[]): Actions {
  const body = Buffer.concat(actions)
  const nameAndParameters = Buffer.from([0, 0, 0])
  const head = Buffer.concat([nameAndParameters, u16(body.length)])
  const made = Buffer.concat([Buffer.of(0x9b), u16(head.length), head, body])
  return set('onEnterFrame', made)
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
