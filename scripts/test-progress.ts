import { inspect } from 'node:util'
import type { EventData } from 'node:test'

const LINE_EVERY = 100

export class TestProgress {
  readonly #total: number
  #done = 0

  constructor(total: number) {
    this.#total = total
  }

  count(): void {
    this.#done += 1
    const text = `${this.#done} of about ${this.#total} tests`
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`)
    else if (this.#done % LINE_EVERY === 0) console.log(text)
  }

  fail({ name, file, details }: EventData.TestFail): void {
    this.#clear()
    console.log(`✖ ${file}: ${name}\n${inspect(details.error.cause ?? details.error)}\n`)
  }

  end(): void {
    this.#clear()
    console.log(`${this.#done} tests finished`)
  }

  #clear(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  }
}
