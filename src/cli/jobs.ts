import { endJob } from '../conversion/end.ts'
import { listUnfinishedJobs } from '../jobs/queries.ts'
import { readArgs } from './args.ts'
import { withDatabase } from './database.ts'

const LIST_MAX = 1000
const HEADINGS = ['ID', 'KIND', 'STATUS', 'QUEUE', 'OWNER', 'AGE', 'PROGRESS', 'CPU', 'SUBJECT']

export async function printJobs(args: string[]): Promise<void> {
  readArgs(args, { options: {} })
  const jobs = await withDatabase(({ db }) => listUnfinishedJobs(db, LIST_MAX))
  if (jobs.length === 0) return console.log('no jobs are running or queued')
  const rows = jobs.map((job) => [
    job.id,
    job.kind,
    job.status,
    job.queue,
    job.handle ?? '-',
    toAge(Date.now() - job.created_at),
    `${Math.floor(job.progress / 10)}%`,
    toAge(job.cpu_ms),
    job.subject,
  ])
  for (const line of toTable([HEADINGS, ...rows])) console.log(line)
  if (jobs.length === LIST_MAX) console.log(`only the first ${LIST_MAX} are listed`)
}

export async function endOneJob(args: string[]): Promise<void> {
  const [id = ''] = readArgs(args, { options: {}, words: ['ID'] }).words
  const job = await withDatabase(({ db }) => endJob(db, id, Date.now()))
  if (!job) throw new Error(`no conversion or thumbnail ${id} is running or queued`)
  console.log(`ended ${job.kind} ${id}`)
}

function toAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds}s`
  return seconds < 7200 ? `${Math.round(seconds / 60)}m` : `${Math.round(seconds / 3600)}h`
}

function toTable(rows: string[][]): string[] {
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
