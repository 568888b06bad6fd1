import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { startServer } from '../server.ts'
import { VERSION } from '../version.ts'
import { readArgs } from './args.ts'

/** Serves until SIGTERM or SIGINT. */
export async function serve(args: string[]): Promise<void> {
  readArgs(args, { options: {} })
  const firstRun = isFirstRun(process.env)
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const server = await startServer(config, { log, clock: systemClock })
  if (!config.captchaSecret) {
    log.warn('CAPTCHA_SECRET is not set: nobody can register')
  }
  announce(server.url, config, firstRun)

  let closing: Promise<void> | undefined
  const stop = (signal: string) => {
    // npm passes a signal on to a process that had it already: the second is the same wish.
    closing ??= server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error, signal }, 'could not close in order')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // npm gives a signal to its shell alone, whose end is then all that this process sees of it.
  if (process.env['npm_lifecycle_event']) {
    const shell = process.ppid
    setInterval(() => process.ppid !== shell && stop('parent'), 250).unref()
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nothing caught')
    process.exit(1)
  })
}

function isFirstRun(env: Record<string, string | undefined>): boolean {
  return !env['DATABASE_URL'] && !existsSync(join(env['DATA_DIR'] || './data', 'plaza.db'))
}

function announce(url: string, config: Config, firstRun: boolean): void {
  const where = config.databaseUrl ? 'PostgreSQL' : config.dataDir
  console.log(`Plaza ${VERSION} serves at ${url}, data in ${where}`)
  if (!firstRun) return
  console.log(
    [
      '',
      `  Reference of the API   ${url}/docs`,
      '  Fill it for a look     npm run plaza -- demo',
      '  Make an administrator  npm run plaza -- user create --handle you --email you@example.com --password "a long one" --admin',
      '',
    ].join('\n'),
  )
}
