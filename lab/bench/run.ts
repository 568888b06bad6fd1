/** Runs one of the larger benchmarks: `npm --prefix lab run bench -- NAME [options]`. */
import { parseArgs } from 'node:util'
import type { Setup } from '../../bench/report.ts'
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
  --engine sqlite|postgres   default sqlite
  --seconds N                seconds per round, default 3
  --rounds N                 rounds, default 3
  --connections N            connections, default 32
  --json                     print JSON instead of a table`

type Measure = (setup: Setup, json: boolean) => Promise<void>

const BENCHES: Record<string, Measure> = {
  files: measureFiles,
  hostile: ({ seconds }, json) => measureHostile(seconds, json),
  hot: measureHot,
  memory: measureMemory,
  processes: measureProcesses,
  queue: (_, json) => measureQueue(json),
  uploads: measureUploads,
  web: (_, json) => measureWeb(json),
  webhooks: measureWebhooks,
}

// `growth` parses its own options.
if (process.argv[2] === 'growth') await measureGrowth(process.argv.slice(3))
else await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'sqlite' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { engine, help, json } = values
  const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(
    Number,
  )
  const areCounts = [seconds, rounds, connections].every((n) => Number.isSafeInteger(n) && n! > 0)
  const measure = positionals.length === 1 && BENCHES[positionals[0] as string]
  const isEngine = engine === 'sqlite' || engine === 'postgres'
  if (help || !measure || !isEngine || !areCounts) {
    console.error(USAGE)
    process.exit(help ? 0 : 2)
  }
  await measure({ engine, seconds, rounds, connections } as Setup, json)
}
