import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './fault.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

export const badFile: Fault = {
  name: 'bad-file',
  promise: 'rejects an invalid database file with one line and leaves the file unchanged',
  engines: ['sqlite'],
  rounds: { full: 1, short: 1 },
  async run(harness) {
    const { broken } = harness.findings
    const load = await LoadGenerator.gather(harness, 4)
    const server = await harness.serve()
    await load.prepare(server.url)
    await harness.stop(server)
    const file = join(harness.dataDir, 'plaza.db')
    const whole = readFileSync(file)
    const harms: Record<string, () => void> = {
      garbage: () => writeFileSync(file, Buffer.alloc(50_000, 'no database ')),
      'cut in half': () => {
        writeFileSync(file, whole)
        truncateSync(file, whole.length >> 1)
      },
      'a folder': () => {
        rmSync(file)
        mkdirSync(file)
      },
    }
    for (const [name, harm] of Object.entries(harms)) {
      for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
      harm()
      const hash = () =>
        existsSync(file) && statSync(file).isFile()
          ? createHash('sha256').update(readFileSync(file)).digest('hex')
          : 'none'
      const before = hash()
      const { code, out } = await harness.plaza(['serve'], { PORT: '0' })
      const lines = out.trim().split('\n')
      if (code === 0 || lines.length !== 1 || !lines[0]?.includes(file)) {
        broken.push(`${name}: ${code} ${out.slice(0, 500)}`)
      }
      if (hash() !== before) broken.push(`${name}: the file was changed`)
    }
    rmSync(file, { recursive: true })
    writeFileSync(file, whole)
    await load.check()
  },
}
