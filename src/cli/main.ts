/** `plaza <command>`: the operator's tool. */
import { listMistypedSettings } from '../config-typos.ts'
import { DatabaseUnavailable, describeUnavailable } from '../db/handle.ts'
import { VERSION } from '../version.ts'
import { UsageError } from './args.ts'
import { loadSettingsFile, listEnvironment } from './database.ts'

interface Command {
  usage: string
  meaning: string
  run(args: string[]): Promise<void>
}

/** Each loads only what it needs. */
const COMMANDS: Record<string, Command> = {
  serve: {
    usage: 'serve [--no-work]',
    meaning: 'Serve everything from this process; --no-work leaves background work to others',
    run: async (args) => (await import('./serve.ts')).serve(args),
  },
  work: {
    usage: 'work',
    meaning: 'Do background work alone, for servers that leave it to others',
    run: async (args) => (await import('./work.ts')).work(args),
  },
  build: {
    usage: 'build',
    meaning:
      'Build the web client, which the first start does otherwise; npm run build is the same',
    run: async (args) => (await import('./build.ts')).buildWebClient(args),
  },
  migrate: {
    usage: 'migrate',
    meaning: 'Bring the schema of the database up to date',
    run: async (args) => (await import('./migrate.ts')).migrateDatabase(args),
  },
  'user create': {
    usage: 'user create --handle H --email E [--password P] [--display-name N] [--admin]',
    meaning:
      'Open an account; without --password asks for it, with --password - reads it from standard input',
    run: async (args) => (await import('./user.ts')).createUser(args),
  },
  'user promote': {
    usage: 'user promote HANDLE',
    meaning: 'Make a person an administrator',
    run: async (args) => (await import('./user.ts')).promoteUser(args),
  },
  'user tier': {
    usage: 'user tier HANDLE regular|premium',
    meaning: 'Set the quota of a person',
    run: async (args) => (await import('./user.ts')).setTier(args),
  },
  'legacy import': {
    usage: 'legacy import FILE.csv',
    meaning: 'Reserve handles and addresses of the former service (columns handle, email)',
    run: async (args) => (await import('./legacy.ts')).importLegacy(args),
  },
  jobs: {
    usage: 'jobs',
    meaning: 'List the background work that runs or is queued',
    run: async (args) => (await import('./jobs.ts')).printJobs(args),
  },
  'jobs end': {
    usage: 'jobs end ID',
    meaning: 'End a conversion or thumbnail; its owner reads that the operator ended it',
    run: async (args) => (await import('./jobs.ts')).endOneJob(args),
  },
  demo: {
    usage: 'demo [--people N] [--works N]',
    meaning: 'Fill an empty database with a made-up community',
    run: async (args) => (await import('./demo.ts')).fillWithDemo(args),
  },
  backup: {
    usage: 'backup FILE [--without-files]',
    meaning: 'Write everything into a new file, also while servers run',
    run: async (args) => (await import('./backup.ts')).backUpDatabase(args),
  },
  restore: {
    usage: 'restore FILE',
    meaning: 'Fill an empty database and its storage from a backup of either engine',
    run: async (args) => (await import('./restore.ts')).restoreBackup(args),
  },
  'db copy': {
    usage: 'db copy',
    meaning: 'Copy the embedded database of DATA_DIR to the empty PostgreSQL of DATABASE_URL',
    run: async (args) => (await import('./copy.ts')).copyToPostgres(args),
  },
  doctor: {
    usage: 'doctor [--files] [--json]',
    meaning:
      'Recount everything and look for damage and missing files, with --files also in the bytes of uploads, thumbnails and pictures of games; changes no row, no stored file and no schema',
    run: async (args) => (await import('./doctor.ts')).examine(args),
  },
}

/** Runs a command and sets the exit code. */
export async function main(args: string[]): Promise<void> {
  const [first] = args
  if (first === undefined || first === 'help' || first === '--help') return console.log(help())
  if (first === '--version') return console.log(VERSION)
  let usage = '[--env-file FILE] <command>'
  try {
    const argv = takeEnvFile(args)
    const names = Object.keys(COMMANDS).sort((a, b) => b.length - a.length)
    const line = argv.join(' ')
    const name = names.find((known) => line === known || line.startsWith(`${known} `))
    const command = name === undefined ? undefined : COMMANDS[name]
    if (!name || !command) {
      console.error(`plaza: unknown command ${JSON.stringify(line)}; see plaza --help`)
      process.exitCode = 2
      return
    }
    usage = command.usage
    if (argv.includes('--help')) return console.log(`Usage: plaza ${usage}\n${command.meaning}`)
    for (const { name: mistyped, meant } of listMistypedSettings(listEnvironment())) {
      console.error(`plaza: ${mistyped} is not a setting and was ignored; did you mean ${meant}?`)
    }
    await command.run(argv.slice(name.split(' ').length))
  } catch (error) {
    const isUsage = error instanceof UsageError
    console.error(`plaza: ${explain(error)}`)
    if (isUsage) console.error(`Usage: plaza ${usage}`)
    process.exitCode = isUsage ? 2 : 1
  }
}

/**
 * Reads the settings of every `--env-file FILE` and returns the other arguments. Node.js may have read the
 * file already, since it looks for the option in all arguments; the result is the same.
 */
function takeEnvFile(args: string[]): string[] {
  const rest: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string
    const isOption = arg === '--env-file' || arg.startsWith('--env-file=')
    if (!isOption) {
      rest.push(arg)
      continue
    }
    const file = arg === '--env-file' ? args[++index] : arg.slice('--env-file='.length)
    if (!file) throw new UsageError('--env-file needs a file')
    loadSettingsFile(file)
  }
  return rest
}

function explain(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `${message}: another program uses this port; set PORT`
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    return `${message}: HOST must be an address of this machine`
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return `${message}: this user may not listen there; set PORT`
  }
  return error instanceof DatabaseUnavailable ? describeUnavailable(error) : message
}

function help(): string {
  const lines = Object.values(COMMANDS).map(({ usage, meaning }) => `  ${usage}\n      ${meaning}`)
  return [
    'Usage: plaza [--env-file FILE] <command>',
    '       plaza --version',
    '',
    '  --env-file FILE',
    '      Read settings from a file of NAME=VALUE lines; variables of the environment win',
    ...lines,
  ].join('\n')
}
