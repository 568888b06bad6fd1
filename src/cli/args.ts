import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Error for a wrong command line. The message has one line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the options and requires exactly one positional argument for each of `words`. Errors: UsageError. */
export function readArgs<const O extends Options>(
  args: string[],
  { options, words = [] }: { options: O; words?: readonly string[] },
) {
  const { values, positionals } = parse(args, options)
  const missing = words[positionals.length]
  if (missing) throw new UsageError(`${missing} is missing`)
  const surplus = positionals[words.length]
  if (surplus !== undefined) throw new UsageError(`unexpected argument: ${surplus}`)
  return { values, words: positionals }
}

function parse<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // Removes the message's hint about positional arguments that begin with a dash.
    throw new UsageError(
      (error as Error).message.replaceAll('\n', ' ').replace(/\. To specify .*/, ''),
    )
  }
}

/** Parses a whole number from 1 to 999,999,999. Errors: UsageError naming the option. */
export function readCount(option: string, text: string): number {
  const count = Number(text)
  if (!/^[0-9]{1,9}$/.test(text) || count < 1) {
    throw new UsageError(`${option} must be a whole number of at least 1`)
  }
  return count
}
