import { listMistypedSettings } from '../config-typos.ts'
import { DatabaseUnavailable, describeUnavailable } from '../db/handle.ts'
import { VERSION } from '../package.ts'
import { UsageError } from './args.ts'
import { loadSettingsFile, listEnvironment } from './database.ts'

interface Command {
  usage: string
  meaning: string
  run(args: string[]): Promise<void>
}

/** Each command imports its module when it runs, so that the other commands are not loaded. */
const COMMANDS: Record<string, Command> = {
  serve: {
    usage: 'serve [--no-work]',
    meaning: 'Start the server; with --no-work other processes do the background work',
    run: async (args) => (await import('./serve.ts')).serve(args),
  },
  work: {
    usage: 'work',
    meaning: 'Start a worker, which does only background work, for servers with --no-work',
    run: async (args) => (await import('./work.ts')).work(args),
  },
  build: {
    usage: 'build',
    meaning: 'Build the web client; otherwise the first start builds it (same as npm run build)',
    run: async (args) => (await import('./build.ts')).buildWebClient(args),
  },
  migrate: {
    usage: 'migrate',
    meaning: 'Migrate the database to the current schema',
    run: async (args) => (await import('./migrate.ts')).migrateDatabase(args),
  },
  'user create': {
    usage: 'user create --handle H --email E [--password P] [--display-name N] [--admin]',
    meaning:
      'Create an account; --password - reads the password from standard input, without --password the command asks for it',
    run: async (args) => (await import('./user.ts')).createUser(args),
  },
  'user promote': {
    usage: 'user promote HANDLE',
    meaning: 'Make a user an administrator',
    run: async (args) => (await import('./user.ts')).promoteUser(args),
  },
  'user reset': {
    usage: 'user reset HANDLE [--second-factor]',
    meaning:
      "Print a link that resets a user's password, and optionally remove the second factor and recovery codes",
    run: async (args) => (await import('./user.ts')).resetUser(args),
  },
  'user erase': {
    usage: 'user erase HANDLE [--keep-contents] [--keep-texts]',
    meaning:
      'Erase an account at once; published contents, or comments and posts, can stay without their author',
    run: async (args) => (await import('./user.ts')).eraseUser(args),
  },
  'user tier': {
    usage: 'user tier HANDLE regular|premium',
    meaning: 'Set the tier of a user, which decides the quotas',
    run: async (args) => (await import('./user.ts')).setTier(args),
  },
  'mail test': {
    usage: 'mail test ADDRESS',
    meaning: 'Send a test mail through SMTP_URL',
    run: async (args) => (await import('./mail.ts')).testMail(args),
  },
  'site set': {
    usage: 'site set KEY VALUE',
    meaning: 'Change a setting of the site, such as name or registration; null removes it',
    run: async (args) => (await import('./site.ts')).setSiteSetting(args),
  },
  'legacy import': {
    usage: 'legacy import FILE.csv',
    meaning: 'Reserve the handles and emails of a former service (columns handle, email)',
    run: async (args) => (await import('./legacy.ts')).importLegacy(args),
  },
  jobs: {
    usage: 'jobs',
    meaning: 'List running and queued background jobs',
    run: async (args) => (await import('./jobs.ts')).printJobs(args),
  },
  'jobs end': {
    usage: 'jobs end ID',
    meaning: 'End a conversion or thumbnail job; its owner sees that the operator ended it',
    run: async (args) => (await import('./jobs.ts')).endOneJob(args),
  },
  demo: {
    usage: 'demo [--people N] [--works N]',
    meaning: 'Fill an empty database with demo users and contents',
    run: async (args) => (await import('./demo.ts')).fillWithDemo(args),
  },
  backup: {
    usage: 'backup FILE [--without-files]',
    meaning: 'Back up all data into a new file, also while servers run',
    run: async (args) => (await import('./backup.ts')).backUpDatabase(args),
  },
  restore: {
    usage: 'restore FILE [--erasures FILE]',
    meaning: 'Restore a backup of either engine into an empty database and its storage',
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
      'Check counters, damage and missing files without changing anything; --files also verifies the content of uploads, thumbnails and screenshots of games',
    run: async (args) => (await import('./doctor.ts')).examine(args),
  },
}

/** Runs the command in `args`. Sets the exit code: 2 for wrong usage, 1 for other errors. */
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
    for (const { name: mistyped, suggestion } of listMistypedSettings(listEnvironment())) {
      console.error(
        `plaza: ${mistyped} is not a setting and was ignored; did you mean ${suggestion}?`,
      )
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
 * Loads the settings file of `--env-file`. Returns the arguments without this option. Node.js may have loaded
 * the file already, with the same result.
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
    return `${message}: this user is not allowed to use this port; set PORT`
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
    '      Read settings from a file of NAME=VALUE lines; environment variables take precedence',
    ...lines,
  ].join('\n')
}
