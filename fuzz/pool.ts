/** What answers gave: ids, handles, tokens, cursors and files, to be sent again. */
import fc from 'fast-check'
import type { Loose } from '../test/actors.ts'

/** Stands in a step for something that is known only when the step is taken. */
export class Pick {
  readonly kind: string
  readonly n: number
  constructor(kind: string, n: number) {
    this.kind = kind
    this.n = n
  }
  toString(): string {
    return `<${this.kind} ${this.n}>`
  }
  [fc.toStringMethod](): string {
    return this.toString()
  }
}

const ID = /^([a-z]{3})_[0-9a-z]{26}$/
/** How many of a kind are kept: the first ones for good, the others in turns. */
const KEPT = 12
const ROOM = 64

export class Pool {
  readonly #shared = new Map<string, string[]>()
  readonly #own = new Map<string, string[]>()
  #added = 0

  add(kind: string, value: string, owner = ''): void {
    this.#put(this.#shared, kind, value)
    if (owner !== '') this.#put(this.#own, `${owner} ${kind}`, value)
  }

  /** One of a kind: every other time one that the caller made, where there is one. */
  find({ kind, n }: Pick, caller: string): string | undefined {
    const own = n % 2 === 0 ? this.#own.get(`${caller} ${kind}`) : undefined
    const found = own ?? this.#shared.get(kind)
    return found?.[Math.floor(n / 2) % found.length]
  }

  /** Keeps what an answer holds; what was made with it belongs to the caller. */
  gather(data: Loose, caller: string, isMade: boolean, field = ''): void {
    if (typeof data === 'string') return this.#keep(field, data, isMade ? caller : '')
    if (typeof data !== 'object' || data === null) return
    // Of a list the first ones are enough.
    const entries = Array.isArray(data)
      ? data.slice(0, 3).map((item) => [field, item])
      : Object.entries(data)
    for (const [name, value] of entries as [string, Loose][]) {
      this.gather(value, caller, isMade, name)
    }
  }

  #keep(field: string, value: string, owner: string): void {
    const prefix = ID.exec(value)?.[1]
    if (prefix) this.add(prefix, value, owner)
    if (field === 'handle' || field === 'refresh_token' || field === 'captcha_token') {
      this.add(field, value, owner)
    } else if (value.startsWith('/uploads/')) {
      this.add('file', value.slice('/uploads/'.length))
    } else if (field === 'tags') {
      this.add('tag', value)
    }
  }

  #put(map: Map<string, string[]>, kind: string, value: string): void {
    const list = map.get(kind)
    if (!list) return void map.set(kind, [value])
    if (list.includes(value)) return
    if (list.length < ROOM) list.push(value)
    else list[KEPT + (this.#added++ % (ROOM - KEPT))] = value
  }
}

/** The same value with every pick in it replaced. */
export function resolved(value: unknown, replace: (pick: Pick) => unknown): unknown {
  if (value instanceof Pick) return replace(value)
  if (Array.isArray(value)) return value.map((item) => resolved(item, replace))
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  const result: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    Object.defineProperty(result, name, {
      value: resolved(item, replace),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}
