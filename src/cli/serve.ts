import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { hasEmbedded } from '../db/open.ts'
import { listWeaknesses } from '../doctor/secrets.ts'
import { createLog } from '../log.ts'
import { setupCode } from '../setup/code.ts'
import { hasAdmin } from '../users/managed.ts'
import { VERSION } from '../package.ts'
import { readArgs } from './args.ts'
import { findPlace, readSettings } from './database.ts'
import { closeOnSignal } from './ending.ts'
import { PRIVATE_WEBHOOKS } from './work.ts'

export async function serve(args: string[]): Promise<void> {
  const { values } = readArgs(args, {
    options: { 'no-work': { type: 'boolean', default: false } },
  })
  const { databaseUrl, dataDir } = findPlace()
  const firstRun = !databaseUrl && !hasEmbedded(dataDir)
  const config = readSettings()
  // These modules take long to load, so they are imported only after the settings have been checked.
  const [{ startServer }, { openSite }] = await Promise.all([
    import('../server.ts'),
    import('../web/site.ts'),
  ])
  const log = createLog(config.logLevel)
  const runsBackground = !values['no-work']
  for (const weakness of listWeaknesses(config)) log.warn(`weak secret: ${weakness}`)
  const web = config.web ? openSite(log) : undefined
  const options = { log, clock: systemClock, runsBackground, site: web?.site }
  const server = await startServer(config, options).catch(async (error: unknown) => {
    await web?.close()
    throw error
  })
  if (!config.captchaSecret) {
    log.warn('CAPTCHA_SECRET is not set: registration is closed')
  }
  if (config.webhookAllowPrivate) log.warn(PRIVATE_WEBHOOKS)
  const close = async () => {
    await Promise.all([web?.close(), server.close()])
  }
  closeOnSignal({ close }, log)
  announce(server.url, config, firstRun)
  if (!(await hasAdmin(server.deps.db))) {
    console.log(`setup code: ${setupCode(config)}, enter it at ${server.url}/setup`)
  }
}

function announce(url: string, config: Config, firstRun: boolean): void {
  const where = config.databaseUrl ? 'PostgreSQL' : config.dataDir
  console.log(`Plaza ${VERSION} serves at ${url}, data in ${where}`)
  if (!firstRun) return
  console.log(
    [
      '',
      `  API reference         ${url}/docs`,
      '  Add demo data         npm run plaza -- demo',
      '  Add an administrator  npm run plaza -- user create --handle you --email you@example.com --admin',
      '',
    ].join('\n'),
  )
}
