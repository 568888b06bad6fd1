/**
 * What failed in a run of tests, said once more in few lines, for whoever sees only the end of what a
 * run printed.
 */
import { inspect, stripVTControlCharacters } from 'node:util'
import type { EventData, TestsStream } from 'node:test'

/** Lines of a message: a difference between two values is told by its beginning. */
const MESSAGE_LINES = 12
const STACK_LINES = 3
const LINE_LENGTH = 240

/** Collects the tests of a stream that fail for a reason of their own, as blocks of lines. */
export class Failures {
  readonly #root: string
  /** The tests around the one that is reported, outermost first; the stream reports files in turn. */
  #names: string[] = []
  /** What each file wrote besides, which is all there is of a file that does not load. */
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

  /** The block of a failed test: where, its full name, and how its error begins. */
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

/** The message, and the places in this project that the stack names first. */
function shorten(error: Error): string[] {
  // node:test wraps what was thrown.
  const thrown = error.cause ?? error
  if (!(thrown instanceof Error)) return inspect(thrown).split('\n').slice(0, MESSAGE_LINES)
  const message = `${thrown.name}: ${thrown.message}`.split('\n')
  const stack = (thrown.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
  const own = stack.filter((line) => line.includes('file://') && !line.includes('node_modules'))
  return [
    ...message.slice(0, MESSAGE_LINES),
    ...(message.length > MESSAGE_LINES ? ['…'] : []),
    ...(thrown.cause === undefined ? [] : [`because of ${String(thrown.cause)}`]),
    ...(own.length > 0 ? own : stack).slice(0, STACK_LINES),
  ]
}

/** What a program wrote, without the places inside Node that it names. */
function wordsOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !/^ +at .*node:/.test(line))
}
