/**
 * Sends statements to PostgreSQL as a pipeline: one write that ends with one Sync. After an error the server
 * skips the remaining statements. Outside an open transaction the batch is atomic (PostgreSQL, section
 * 55.2.4, Pipelining).
 */
import pg from 'pg'

/**
 * Milliseconds without a response after which the connection is closed. Longer than the statement timeout, so only a
 * stopped server or a broken network causes this. The statements may have been executed.
 */
const SILENCE_MS = 20_000

export interface Command {
  /** PostgreSQL prepares a named statement once per connection, and an unnamed one at each execution. */
  name?: string
  text: string
  values: readonly unknown[]
}

export interface CommandResult {
  rows: Record<string, unknown>[]
  /** Command tag from the server, such as `UPDATE 1`. */
  tag: string
}

/** Sends statements and returns their results in order. Rejects with the first error. */
export function sendPipeline(
  client: pg.ClientBase,
  commands: readonly Command[],
  silenceMs = SILENCE_MS,
): Promise<CommandResult[]> {
  return new Promise((resolve, reject) => {
    const pipeline = new Pipeline(commands, resolve, reject)
    // A broken connection may never become ready to send the query, so the timer starts before the query is
    // queued.
    const { stream } = (client as unknown as { connection: Wire }).connection
    pipeline.silence = setTimeout(() => {
      stream.destroy(new Error('the connection is silent'))
    }, silenceMs)
    client.query(pipeline)
  })
}

/** Protocol methods of a `pg` connection. The package's types describe them wrongly. */
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

/** Statements prepared on each connection. `columns` is set after the first result. */
const prepared = new WeakMap<Wire, Map<string, { columns?: Column[] }>>()

/** State of one batch. `pg` calls the `handle...` methods as messages arrive. */
class Pipeline {
  readonly #commands: readonly Command[]
  readonly #resolve: (results: CommandResult[]) => void
  readonly #reject: (error: unknown) => void
  readonly #results: CommandResult[] = []
  #known = new Map<string, { columns?: Column[] }>()
  #rows: CommandResult['rows'] = []
  #columns: Column[] = []
  /** Names of the statements that the server is preparing, in order. */
  #parsing: string[] = []
  #land: () => void = () => {}
  silence: NodeJS.Timeout | undefined

  constructor(
    commands: readonly Command[],
    resolve: (results: CommandResult[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.#commands = commands
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    const known = prepared.get(wire) ?? new Map<string, { columns?: Column[] }>()
    prepared.set(wire, known)
    this.#known = known
    wire.stream.cork()
    for (const { name = '', text, values } of this.#commands) {
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

  /** Marks a statement as prepared when the server has parsed it. */
  #follow(wire: Wire): void {
    const note = () => {
      const name = this.#parsing.shift()
      if (name) this.#known.set(name, {})
    }
    wire.on('parseComplete', note)
    this.#land = () => wire.off('parseComplete', note)
  }

  #begin(): void {
    const { name = '' } = this.#commands[this.#results.length] ?? {}
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
    for (let index = 0; index < fields.length; index++) {
      const { name, parse } = this.#columns[index] as Column
      const text = fields[index] as string | null
      row[name] = text === null ? null : parse(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#commands[this.#results.length] as Command
    const known = name && this.#known.get(name)
    if (known) known.columns ??= this.#columns
    this.#results.push({ rows: this.#rows, tag: text })
    this.#begin()
  }

  handleReadyForQuery(): void {
    clearTimeout(this.silence)
    this.#land()
    this.#resolve(this.#results)
  }

  handleError(error: unknown): void {
    clearTimeout(this.silence)
    this.#land()
    this.#reject(error)
  }
}

/** Formats a parameter as text. A list becomes a PostgreSQL array. */
function toText(value: unknown): string | null {
  if (value === null) return null
  if (!Array.isArray(value)) return String(value)
  const items = value.map((item) =>
    item === null ? 'NULL' : `"${String(item).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${items.join(',')}}`
}
