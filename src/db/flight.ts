/**
 * Statements that cross to PostgreSQL and back together: sent in one write, ended by one Sync. The
 * first that fails keeps the server from running those behind it, and outside an open transaction
 * they are one of their own (PostgreSQL, section 55.2.4, Pipelining): all of it happens, or nothing.
 */
import pg from 'pg'

/**
 * Milliseconds without an end after which the connection is given up: more than a statement may
 * take. The server, or what is between, stands still then, and the system would wait for a quarter
 * of an hour. What was under way may have happened.
 */
const SILENCE_MS = 20_000

export interface Order {
  /** Prepared under this name, once on each connection; without one, anew each time. */
  name?: string
  text: string
  values: readonly unknown[]
}

export interface Outcome {
  rows: Record<string, unknown>[]
  /** What the server says of itself, such as `UPDATE 1`. */
  tag: string
}

/** Outcomes in the order of the orders; rejects with the first error, or what broke the connection. */
export function fly(
  client: pg.ClientBase,
  orders: readonly Order[],
  silenceMs = SILENCE_MS,
): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const flight = new Flight(orders, resolve, reject)
    // Not when it leaves: behind an error the server may never say that it is ready again.
    const { stream } = (client as unknown as { connection: Wire }).connection
    flight.silence = setTimeout(() => {
      stream.destroy(new Error('the connection is silent'))
    }, silenceMs)
    client.query(flight)
  })
}

/** What `pg` gives those that speak its protocol themselves; its types tell another story. */
interface Wire {
  stream: { cork(): void; uncork(): void; destroy(error: Error): void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: '' }): void
  execute(message: null): void
  sync(): void
  on(event: 'parseComplete', listener: () => void): void
  off(event: 'parseComplete', listener: () => void): void
}

interface Column {
  name: string
  parse(text: string): unknown
}

/** What is prepared on a connection, with the columns of its rows once they are known. */
const prepared = new WeakMap<Wire, Map<string, { columns?: Column[] }>>()

/** The methods are called by `pg` as answers come. */
class Flight {
  readonly #orders: readonly Order[]
  readonly #resolve: (outcomes: Outcome[]) => void
  readonly #reject: (error: unknown) => void
  readonly #outcomes: Outcome[] = []
  #known = new Map<string, { columns?: Column[] }>()
  #rows: Outcome['rows'] = []
  #columns: Column[] = []
  /** Names of what is being prepared, in order. */
  #parsing: string[] = []
  #land: () => void = () => {}
  /** Ends with the flight. */
  silence: NodeJS.Timeout | undefined

  constructor(
    orders: readonly Order[],
    resolve: (outcomes: Outcome[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.#orders = orders
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    const known = prepared.get(wire) ?? new Map<string, { columns?: Column[] }>()
    prepared.set(wire, known)
    this.#known = known
    wire.stream.cork()
    for (const { name = '', text, values } of this.#orders) {
      if (name === '' || !(known.has(name) || this.#parsing.includes(name))) {
        wire.parse({ name, text })
        this.#parsing.push(name)
      }
      wire.bind({ statement: name, values: values.map(toText) })
      if (!known.get(name)?.columns) wire.describe({ type: 'P', name: '' })
      wire.execute(null)
    }
    wire.sync()
    wire.stream.uncork()
    if (this.#parsing.length > 0) this.#follow(wire)
    this.#begin()
  }

  /** Notes what the server says it has prepared. */
  #follow(wire: Wire): void {
    const note = () => {
      const name = this.#parsing.shift()
      if (name) this.#known.set(name, {})
    }
    wire.on('parseComplete', note)
    this.#land = () => wire.off('parseComplete', note)
  }

  /** Makes ready for the rows of the next order. */
  #begin(): void {
    const { name = '' } = this.#orders[this.#outcomes.length] ?? {}
    this.#rows = []
    this.#columns = this.#known.get(name)?.columns ?? []
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < fields.length; at++) {
      const { name, parse } = this.#columns[at] as Column
      const text = fields[at] as string | null
      row[name] = text === null ? null : parse(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#orders[this.#outcomes.length] as Order
    const known = name && this.#known.get(name)
    if (known) known.columns ??= this.#columns
    this.#outcomes.push({ rows: this.#rows, tag: text })
    this.#begin()
  }

  handleReadyForQuery(): void {
    clearTimeout(this.silence)
    this.#land()
    this.#resolve(this.#outcomes)
  }

  handleError(error: unknown): void {
    clearTimeout(this.silence)
    this.#land()
    this.#reject(error)
  }
}

/** A value as PostgreSQL reads it; a list as an array. */
function toText(value: unknown): string | null {
  if (value === null) return null
  if (!Array.isArray(value)) return String(value)
  const items = value.map((item) =>
    item === null ? 'NULL' : `"${String(item).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${items.join(',')}}`
}
