import { systemClock } from '../clock.ts'
import { listWeaknesses } from '../doctor/secrets.ts'
import { createLog } from '../log.ts'
import { startWorker } from '../server.ts'
import { VERSION } from '../package.ts'
import { readArgs } from './args.ts'
import { readSettings } from './database.ts'
import { closeOnSignal } from './ending.ts'

export const PRIVATE_WEBHOOKS =
  'WEBHOOK_ALLOW_PRIVATE is on: any user can make this server call private addresses'

export async function work(args: string[]): Promise<void> {
  readArgs(args, { options: {} })
  const config = readSettings({ listens: false })
  const log = createLog(config.logLevel)
  if (config.webhookAllowPrivate) log.warn(PRIVATE_WEBHOOKS)
  for (const weakness of listWeaknesses(config)) log.warn(`weak secret: ${weakness}`)
  const worker = await startWorker(config, { log, clock: systemClock })
  closeOnSignal(worker, log)
  const where = config.databaseUrl ? 'PostgreSQL' : config.dataDir
  console.log(`Plaza ${VERSION} does background work, data in ${where}`)
}
