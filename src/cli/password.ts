import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { UsageError } from './args.ts'

/**
 * Returns the password from the option, or for `-` the first line of standard input. Without the option, prompts
 * twice on the terminal without echo.
 * Errors: UsageError when that line is empty, or without both option and terminal; an Error when the two typed
 * passwords differ or after Ctrl-C.
 */
export async function readPassword(option: string | undefined): Promise<string> {
  if (option === '-') {
    const [line = ''] = (await text(process.stdin)).split(/\r?\n/)
    if (line === '') throw new UsageError('standard input contains no password')
    return line
  }
  if (option !== undefined) return option
  if (!process.stdin.isTTY) {
    throw new UsageError('--password is missing; --password - reads it from standard input')
  }
  const password = await ask('Password: ')
  if (password !== (await ask('Again: '))) throw new Error('the passwords differ')
  return password
}

async function ask(question: string): Promise<string> {
  // Discards the echo of the terminal, so that the typed password is not shown.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  // Prints the question after echo is off, so that a password typed early stays hidden.
  process.stderr.write(question)
  const interrupted = new AbortController()
  terminal.once('SIGINT', () => interrupted.abort())
  try {
    return await terminal.question('', { signal: interrupted.signal })
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    throw new Error('interrupted', { cause: error })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
