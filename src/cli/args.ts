import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The command was called wrongly: one line says how. */
export class UsageError extends Error {
  override name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Options and as many words as `words` names. Throws UsageError. */
export function readArgs<const O extends Options>(
  args: string[],
  { options, words = [] }: { options: O; words?: readonly string[] },
) {
  const { values, positionals } = parse(args, options)
  const missing = words[positionals.length]
  if (missing) throw new UsageError(`${missing} is missing`)
  const surplus = positionals[words.length]
  if (surplus !== undefined) throw new UsageError(`there is one word too many: ${surplus}`)
  return { values, words: positionals }
}

function parse<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // Only the first sentence: the rest is about words that begin with a dash.
    throw new UsageError(
      (error as Error).message.replaceAll('\n', ' ').replace(/\. To specify .*/, ''),
    )
  }
}

/** A whole number from 1 on. Throws UsageError naming the option. */
export function readCount(option: string, text: string): number {
  const count = Number(text)
  if (!/^[0-9]{1,9}$/.test(text) || count < 1) {
    throw new UsageError(`${option} must be a whole number from 1 on`)
  }
  return count
}
