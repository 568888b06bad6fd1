import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newPlace, settingsOf } from '../test/app.ts'
import { serve } from '../test/process.ts'

function processorSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
  return (Number(fields?.[11]) + Number(fields?.[12])) / 100
}

/** Returns the processor time in seconds and the memory in MB after a start on an empty database. */
async function measureStart(): Promise<{ seconds: number; resident: number }> {
  const settings = { CAPTCHA_COST: '10', LOG_LEVEL: 'warn', ...settingsOf(await newPlace()) }
  const server = await serve(settings)
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  const resident = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
  const seconds = processorSeconds(server.child.pid)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  return { seconds, resident }
}

async function measureLibraries(): Promise<number> {
  const names = [
    '@simplewebauthn/server',
    'fastify',
    'kysely',
    'nodemailer',
    'pg',
    'pino',
    'sharp',
    'undici',
  ]
  const script = `for (const name of ${JSON.stringify(names)}) await import(name)
    console.log(process.cpuUsage().user + process.cpuUsage().system)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    script,
  ])
  return Number(stdout) / 1e6
}

test('starts within three times the processor time of loading its libraries, and holds less than 170 MB', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async () => {
  const starts: { seconds: number; resident: number; loading: number }[] = []
  const least = (target: 'seconds' | 'resident' | 'loading') =>
    Math.min(...starts.map((start) => start[target]))
  const ratio = () => least('seconds') / least('loading')
  // Measures up to five starts, because other programs may slow a start down and memory may be freed late.
  do starts.push({ ...(await measureStart()), loading: await measureLibraries() })
  while (starts.length < 5 && (ratio() >= 3 || least('resident') >= 170))
  assert.ok(ratio() < 3, `${least('seconds')} s, against ${least('loading')} s for the libraries`)
  assert.ok(least('resident') < 170, `holds ${Math.round(least('resident'))} MB`)
})
