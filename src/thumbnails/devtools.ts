/** Talks to a browser through its pipes (Chrome DevTools Protocol): JSON texts, each ended by a NUL. */
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/** Characters of one message: a picture of a screen, and far less than would fill memory. */
const MESSAGE_MAX = 64 * 1024 * 1024

/** Stands for what no browser tells: everybody who waits is told when it goes. */
const GONE = 'gone'

type Values = Record<string, unknown>

interface Waiting {
  resolve(result: Values): void
  reject(error: Error): void
}

interface Message {
  id?: number
  method?: string
  params?: Values
  result?: Values
  error?: { message: string }
}

export class DevTools {
  readonly #events = new EventEmitter()
  readonly #waiting = new Map<number, Waiting>()
  readonly #output: Writable
  #sent = 0
  #isOver = false
  #session: string | undefined

  /** Of a browser started with `--remote-debugging-pipe`, which reads from 3 and writes to 4. */
  constructor(child: ChildProcess) {
    this.#output = child.stdio[3] as Writable
    const input = child.stdio[4] as Readable
    const end = () => this.#end()
    this.#output.on('error', end)
    child.once('error', end)
    child.once('exit', end)
    let text = ''
    input.setEncoding('utf8').on('error', end)
    input.on('data', (part: string) => {
      text += part
      const messages = text.split('\0')
      text = messages.pop() ?? ''
      if (text.length > MESSAGE_MAX) input.destroy()
      for (const message of messages) this.#take(JSON.parse(message))
    })
  }

  /** Opens a page, to which all that follows is said. */
  async openPage(): Promise<void> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    this.#session = sessionId as string
  }

  /** Rejects where the browser refuses or has gone. */
  send(method: string, params: Values = {}): Promise<Values> {
    if (this.#isOver) return Promise.reject(new Error('the browser has gone'))
    const id = ++this.#sent
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const message = { id, method, params, ...(this.#session && { sessionId: this.#session }) }
      this.#output.write(`${JSON.stringify(message)}\0`)
    })
  }

  /** Asks the browser to end; resolves once it has. */
  async close(): Promise<void> {
    this.#session = undefined
    await this.send('Browser.close').catch(() => {})
    if (!this.#isOver) await this.next(GONE)
  }

  /** Resolves when this comes next, or the browser goes. */
  next(event: string): Promise<void> {
    if (this.#isOver) return Promise.resolve()
    return new Promise((resolve) => this.#events.once(event, resolve))
  }

  #take({ id, method, params, result, error }: Message): void {
    if (id === undefined) {
      if (method) this.#events.emit(method, params)
      return
    }
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new Error(error.message))
    else waiting?.resolve(result ?? {})
  }

  #end(): void {
    this.#isOver = true
    for (const { reject } of this.#waiting.values()) reject(new Error('the browser has gone'))
    this.#waiting.clear()
    for (const name of this.#events.eventNames()) this.#events.emit(name)
  }
}
