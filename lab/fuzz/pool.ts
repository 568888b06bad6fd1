import fc from 'fast-check'
import type { Loose } from '../../test/actors.ts'

/** Placeholder in a step. A value from the pool replaces the placeholder when the step runs. */
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
/** Number of values of each kind that a pool never overwrites: the first ones that it stored. */
const PERMANENT = 12
/** Maximum values of each kind in a pool. New values replace earlier ones in rotation, except the first PERMANENT. */
const CAPACITY = 64

export class Pool {
  readonly #shared = new Map<string, string[]>()
  readonly #own = new Map<string, string[]>()
  #added = 0

  add(kind: string, value: string, owner = ''): void {
    this.#put(this.#shared, kind, value)
    if (owner !== '') this.#put(this.#own, `${owner} ${kind}`, value)
  }

  /**
   * Returns a value of this kind, or undefined when the pool has none. Picks with an even `n` prefer the
   * caller's own values.
   */
  find({ kind, n }: Pick, caller: string): string | undefined {
    const own = n % 2 === 0 ? this.#own.get(`${caller} ${kind}`) : undefined
    const found = own ?? this.#shared.get(kind)
    return found?.[Math.floor(n / 2) % found.length]
  }

  /** Stores the ids, handles and tokens in a response. They belong to the caller if the request created them. */
  gather(data: Loose, caller: string, created: boolean, field = ''): void {
    if (typeof data === 'string') return this.#keep(field, data, created ? caller : '')
    if (typeof data !== 'object' || data === null) return
    // Stores only the first three items of a list.
    const entries = Array.isArray(data)
      ? data.slice(0, 3).map((item) => [field, item])
      : Object.entries(data)
    for (const [name, value] of entries as [string, Loose][]) {
      this.gather(value, caller, created, name)
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
    if (list.length < CAPACITY) list.push(value)
    else list[PERMANENT + (this.#added++ % (CAPACITY - PERMANENT))] = value
  }
}

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
