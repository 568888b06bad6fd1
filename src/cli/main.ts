/** `plaza <command>`: the operator's tool. */
import { ConfigError } from '../config.ts'
import { NewerSchema } from '../db/migrate.ts'
import { serve } from './serve.ts'
import { UsageError } from './usage.ts'

interface Command {
  usage: string
  meaning: string
  run(args: string[]): Promise<void>
}

const COMMANDS: Record<string, Command> = {
  serve: { usage: 'serve', meaning: 'Serve everything from this process', run: serve },
}

/** Runs a command and sets the exit code. */
export async function main(argv: string[]): Promise<void> {
  const names = Object.keys(COMMANDS).sort((a, b) => b.length - a.length)
  const line = argv.join(' ')
  const name = names.find((known) => line === known || line.startsWith(`${known} `))
  const command = name === undefined ? undefined : COMMANDS[name]
  if (!name || !command) {
    console.error(help())
    process.exitCode = argv.length === 0 || argv[0] === 'help' || argv[0] === '--help' ? 0 : 2
    return
  }
  try {
    await command.run(argv.slice(name.split(' ').length))
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `plaza: ${error.message}`
  if (error instanceof ConfigError) return `plaza: ${error.message}`
  if (error instanceof NewerSchema) return `plaza: ${error.message}`
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'EADDRINUSE') return `plaza: ${message}: another program uses this port; set PORT`
  return `plaza: ${message}`
}

function help(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ usage }) => usage.length))
  const lines = Object.values(COMMANDS).map(
    ({ usage, meaning }) => `  ${usage.padEnd(width)}  ${meaning}`,
  )
  return ['Usage: plaza <command>', '', ...lines].join('\n')
}
