/** Client of the Chrome DevTools Protocol over pipes. Messages are JSON texts, each followed by a NUL. */
import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const MESSAGE_MAX = 64 * 1024 * 1024

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
  readonly #gone = new AbortController()
  #session: string | undefined

  /**
   * Connects to a browser that was started with `--remote-debugging-pipe`. The browser reads commands from file
   * descriptor 3 and writes responses to file descriptor 4.
   */
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
      // Checks the input, because a malicious game may control the browser.
      if (text.length > MESSAGE_MAX || !messages.every((message) => this.#take(message))) {
        input.destroy()
        end()
      }
    })
  }

  /** Opens a page. Later commands apply to this page. */
  async openPage(): Promise<void> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    this.#session = sessionId as string
  }

  /** Sends a command and returns its result. Rejects when the browser reports an error or exits. */
  send(method: string, params: Values = {}): Promise<Values> {
    if (this.#gone.signal.aborted) return Promise.reject(new Error('the browser has exited'))
    const id = ++this.#sent
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const message = { id, method, params, ...(this.#session && { sessionId: this.#session }) }
      this.#output.write(`${JSON.stringify(message)}\0`)
    })
  }

  /** Waits for the next event with this name. Rejects when the browser exits. */
  next(event: string): Promise<void> {
    return once(this.#events, event, this.#gone).then(() => {})
  }

  /** Waits for `ms` milliseconds. Rejects when the browser exits. */
  pause(ms: number): Promise<void> {
    return sleep(ms, undefined, this.#gone)
  }

  /** Asks the browser to exit. Does not wait for the exit. */
  async close(): Promise<void> {
    this.#session = undefined
    await this.send('Browser.close').catch(() => {})
  }

  /** Handles a message of the browser. Returns false when the message is not a JSON object. */
  #take(text: string): boolean {
    const message = toMessage(text)
    if (!message) return false
    const { id, method, params, result, error } = message
    if (id === undefined) {
      if (typeof method === 'string' && method !== 'error') this.#events.emit(method, params)
      return true
    }
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new Error(error.message))
    else waiting?.resolve(result ?? {})
    return true
  }

  #end(): void {
    this.#gone.abort()
    for (const { reject } of this.#waiting.values()) reject(new Error('the browser has exited'))
    this.#waiting.clear()
  }
}

function toMessage(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
