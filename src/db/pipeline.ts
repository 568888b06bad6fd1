/**
 * Pipelines statements to PostgreSQL: one write with one Sync. After a failure the server skips the
 * remaining statements. Outside an open transaction the batch is atomic (PostgreSQL, section 55.2.4,
 * Pipelining).
 */
import pg from 'pg'

/**
 * Milliseconds of silence after which the connection is closed; longer than the statement timeout. The
 * server or the network has stopped then, and TCP itself would wait for about 15 minutes. The
 * statements may still have taken effect.
 */
const SILENCE_MS = 20_000

export interface Command {
  /**
   * Name of the prepared statement, prepared once per connection. Without a name it is prepared every
   * time.
   */
  name?: string
  text: string
  values: readonly unknown[]
}

export interface CommandResult {
  rows: Record<string, unknown>[]
  /** The server's command tag, such as `UPDATE 1`. */
  tag: string
}

/**
 * Sends the statements and returns their results in order. Rejects with the first error or the
 * connection's error.
 */
export function sendPipeline(
  client: pg.ClientBase,
  commands: readonly Command[],
  silenceMs = SILENCE_MS,
): Promise<CommandResult[]> {
  return new Promise((resolve, reject) => {
    const pipeline = new Pipeline(commands, resolve, reject)
    // The timer starts now, because after an error the connection may never become ready to send.
    const { stream } = (client as unknown as { connection: Wire }).connection
    pipeline.silence = setTimeout(() => {
      stream.destroy(new Error('the connection is silent'))
    }, silenceMs)
    client.query(pipeline)
  })
}

/** The protocol methods of a `pg` connection, which its types describe wrongly. */
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

/** Prepared statements of each connection, with their result columns once known. */
const prepared = new WeakMap<Wire, Map<string, { columns?: Column[] }>>()

/** One pipelined batch. `pg` calls its handlers as messages arrive. */
class Pipeline {
  readonly #commands: readonly Command[]
  readonly #resolve: (results: CommandResult[]) => void
  readonly #reject: (error: unknown) => void
  readonly #results: CommandResult[] = []
  #known = new Map<string, { columns?: Column[] }>()
  #rows: CommandResult['rows'] = []
  #columns: Column[] = []
  /** Names of the statements being prepared, in order. */
  #parsing: string[] = []
  #land: () => void = () => {}
  /** Timer that closes a silent connection; cleared when the batch ends. */
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

  /** Records each statement that the server reports as prepared. */
  #follow(wire: Wire): void {
    const note = () => {
      const name = this.#parsing.shift()
      if (name) this.#known.set(name, {})
    }
    wire.on('parseComplete', note)
    this.#land = () => wire.off('parseComplete', note)
  }

  /** Prepares for the rows of the next statement. */
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
    for (let at = 0; at < fields.length; at++) {
      const { name, parse } = this.#columns[at] as Column
      const text = fields[at] as string | null
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

/** Formats a value as PostgreSQL text; a list becomes an array. */
function toText(value: unknown): string | null {
  if (value === null) return null
  if (!Array.isArray(value)) return String(value)
  const items = value.map((item) =>
    item === null ? 'NULL' : `"${String(item).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${items.join(',')}}`
}
