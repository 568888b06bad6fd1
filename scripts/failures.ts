import { inspect, stripVTControlCharacters } from 'node:util'
import type { EventData, TestsStream } from 'node:test'

const MESSAGE_LINES = 12
const STACK_LINES = 3
const LINE_LENGTH = 240

/** Describes each failed test in a few lines, because many readers see only the end of a test run's output. */
export class Failures {
  readonly #root: string
  /** Names of the enclosing tests, outermost first. One list is enough, because the stream reports files one by one. */
  #names: string[] = []
  /** Last characters of each test file's standard error, which explains why a file does not load. */
  readonly #said = new Map<string, string>()

  constructor(events: TestsStream, root: string) {
    this.#root = root
    events.on('test:start', ({ nesting, name }) => {
      this.#names = [...this.#names.slice(0, nesting), name]
    })
    events.on('test:stderr', ({ file, message }) => {
      this.#said.set(file, ((this.#said.get(file) ?? '') + message).slice(-4000))
    })
  }

  describe(engine: string, { file = '', name, nesting, details }: EventData.TestFail): string {
    const place = file.replace(`${this.#root}/`, '')
    const isFile = name === file
    const title = isFile ? 'the file itself' : [...this.#names.slice(0, nesting), name].join(' > ')
    const said = isFile ? (this.#said.get(file) ?? '') : ''
    const lines = [...shorten(details.error), ...wordsOf(said).slice(-MESSAGE_LINES)]
    return [`✖ ${engine}, ${place}: ${title}`, ...lines.filter((line) => line.trim() !== '')]
      .map((line) => this.#trim(line))
      .join('\n    ')
  }

  #trim(line: string): string {
    const short = stripVTControlCharacters(line).replaceAll(`${this.#root}/`, '').trimEnd()
    return short.length > LINE_LENGTH ? `${short.slice(0, LINE_LENGTH)}…` : short
  }
}

function shorten(error: Error): string[] {
  // node:test wraps the thrown error.
  const thrown = error.cause ?? error
  if (!(thrown instanceof Error)) return inspect(thrown).split('\n').slice(0, MESSAGE_LINES)
  const message = `${thrown.name}: ${thrown.message}`.split('\n')
  const stack = (thrown.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
  const own = stack.filter((line) => line.includes('file://') && !line.includes('node_modules'))
  return [
    ...message.slice(0, MESSAGE_LINES),
    ...(message.length > MESSAGE_LINES ? ['…'] : []),
    ...(thrown.cause === undefined ? [] : [`cause: ${String(thrown.cause)}`]),
    ...(own.length > 0 ? own : stack).slice(0, STACK_LINES),
  ]
}

function wordsOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !/^ +at .*node:/.test(line))
}
