/** Runs one of the larger benchmarks: `npm --prefix lab run bench -- NAME [options]`. */
import { parseArgs } from 'node:util'
import { readSetup, SETUP_OPTIONS, SETUP_USAGE, type Setup } from '../../bench/report.ts'
import { DURABLE, startPrivatePostgres } from '../../scripts/postgres.ts'
import { Harness } from '../harness/harness.ts'
import { measureFiles } from './files.ts'
import { measureGrowth } from './growth.ts'
import { measureHostile } from './hostile.ts'
import { measureHot } from './hot.ts'
import { measureMemory } from './memory.ts'
import { measureProcesses } from './processes.ts'
import { measureQueue } from './queue.ts'
import { measureUploads } from './uploads.ts'
import { measureWeb } from './web.ts'
import { measureWebhooks } from './webhooks.ts'

const USAGE = `Usage: npm --prefix lab run bench -- NAME [options]
  files                      serving files, compared with a bare server
  growth                     response times as data grows; see growth --help
  hostile                    cost of the most expensive bodies for the server and other clients
  hot                        likes of one content, compared with likes of many, by 64 users
  memory                     memory of a server with a thousand connections
  processes                  two servers on one PostgreSQL, compared with one
  queue                      waiting time of a short clip while another account has a long queue
  uploads                    large uploads, compared with a bare stream to disk
  web                        paint times of a first visit, compared with a bare page
  webhooks                   deliveries to a receiver on this machine
${SETUP_USAGE}`

const BENCHES: Record<string, (harness: Harness, setup: Setup) => Promise<void>> = {
  files: measureFiles,
  hostile: measureHostile,
  hot: measureHot,
  memory: measureMemory,
  queue: measureQueue,
  uploads: measureUploads,
  web: measureWeb,
  webhooks: measureWebhooks,
}

// `growth` parses its own options.
if (process.argv[2] === 'growth') await measureGrowth(process.argv.slice(3))
else await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: SETUP_OPTIONS })
  const name = positionals.length === 1 ? (positionals[0] as string) : ''
  const measure = BENCHES[name]
  const setup = readSetup(values)
  if (values.help || !(measure || name === 'processes') || !setup) {
    console.error(USAGE)
    process.exit(values.help ? 0 : 2)
  }
  // `processes` starts its own PostgreSQL.
  if (!measure) return measureProcesses(setup)
  const postgres = setup.engine === 'postgres' ? await startPrivatePostgres(DURABLE) : undefined
  const harness = await Harness.make(postgres)
  try {
    await measure(harness, setup)
  } finally {
    await harness.close()
    await postgres?.stop()
  }
}
