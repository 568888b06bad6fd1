import type { Campaign, Findings } from './campaign.ts'
import { isMachineBusy } from './oracle.ts'
import type { Engine } from '../../src/db/statement.ts'
import { UNREACHED } from './tour.ts'

const HEALTH_LIMIT = 500

export function report(engine: Engine, { requests, seed }: Campaign, found: Findings): number {
  const rows = [...found.tallies].sort(([a], [b]) => a.localeCompare(b, 'en'))
  console.log(`\n${engine}`)
  console.table(
    Object.fromEntries(
      rows.map(([id, { successes, refusals, codes }]) => [
        id,
        { sent: successes + refusals, succeeded: successes, rejected: refusals, codes: codes.size },
      ]),
    ),
  )
  const problems = [...found.faults.values()]
  const unreached = rows.filter(([, { successes }]) => successes === 0).map(([id]) => id)
  for (const id of unreached) {
    if (!UNREACHED.has(id) && !found.faults.has('stopped')) problems.push(`${id} never succeeded`)
  }
  const probes = found.probes.toSorted((a, b) => a - b)
  const p99 = probes[Math.floor(probes.length * 0.99)] ?? 0
  if (p99 > HEALTH_LIMIT && !isMachineBusy())
    problems.push(`health checks took ${Math.round(p99)} ms (p99)`)
  const codes = new Set(rows.flatMap(([, tally]) => [...tally.codes]))
  const reached = rows.filter(([, { successes }]) => successes > 0).length
  console.log(
    [
      '',
      `${found.sent} requests in ${found.seconds.toFixed(1)} s, ${Math.round(found.sent / found.seconds)} a second`,
      `${reached} of ${rows.length} operations succeeded; ${codes.size} error codes seen`,
      `never succeeded: ${unreached.join(', ')}`,
      `${found.digests} rejected requests compared; ${probes.length} health checks, p99 ${p99.toFixed(1)} ms; ${found.memory} MB`,
    ].join('\n'),
  )
  for (const problem of problems) console.log(`\n--- ${problem}`)
  console.log(
    problems.length === 0
      ? `No problems found (seed ${seed}).`
      : `\n${problems.length} problems. To repeat: npm run fuzz -- --engine ${engine} --requests ${requests} --seed ${seed}`,
  )
  return problems.length
}
