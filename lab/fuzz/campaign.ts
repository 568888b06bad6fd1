import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { recount } from '../harness/harness.ts'
import { Client, type Got, type Sent, shown } from './client.ts'
import { changed, digester } from './digest.ts'
import type { Description, Operation } from './document.ts'
import { Gate } from './gate.ts'
import { Fault, Requester } from './requester.ts'
import { isMachineBusy, TIME_LIMIT } from './oracle.ts'
import { anyStep, type Step } from './steps.ts'
import type { Target } from './target.ts'
import { tour } from './tour.ts'

export interface Campaign {
  requests: number
  seed: number
  lanes: number
}

export interface Tally {
  successes: number
  refusals: number
  codes: Set<string>
}

export interface Findings {
  sent: number
  seconds: number
  tallies: Map<string, Tally>
  /** Faults by kind. Each kind is reported once. */
  faults: Map<string, string>
  digests: number
  probes: number[]
  memory: number
}

const HEALTH: Sent = { method: 'GET', path: '/api/health', headers: {}, body: undefined }
const BATCH_STEPS = 60
const SHRINKS = 150
const FAULTS_MAX = 10
/** Milliseconds before each repetition of a rejected request that seems to have changed data. */
const REPEAT_PAUSES = [20, 100, 500]
/** Operations that change data when they reject a request: a reused refresh token revokes its session. */
const CHANGES_ON_REFUSAL = new Set(['refreshSession'])

export async function runCampaign(
  target: Target,
  document: Description,
  { requests, seed, lanes }: Campaign,
): Promise<Findings> {
  const client = new Client(target.url, lanes)
  const found: Findings = {
    sent: 0,
    seconds: 0,
    tallies: new Map(
      document.operations.map(({ id }) => [id, { successes: 0, refusals: 0, codes: new Set() }]),
    ),
    faults: new Map(),
    digests: 0,
    probes: [],
    memory: 0,
  }
  const gate = new Gate()
  const alone = <T>(action: () => Promise<T>) => gate.alone(action)
  const send = await sender(target, client, gate, found)
  const steps = fc.array(anyStep(document.operations), {
    minLength: 1,
    maxLength: BATCH_STEPS,
    size: 'max',
  })
  const probing = new AbortController()
  const probe = probeHealth(target, found, probing.signal)
  const start = performance.now()
  const run = async (number: number) => {
    const requester = new Requester(`${number}`, target, document, { send, alone })
    await alone(() => requester.open())
    await tour(requester, document)
    for (let batch = 0; found.sent < requests && target.isAlive; batch++) {
      if (found.faults.size >= FAULTS_MAX) return
      await requester.revive()
      await runBatch(requester, steps, seed + number * 1_000_003 + batch, found)
      if (batch % 20 === 19 && number === 0) console.error(`${found.sent} requests`)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, (_, number) => run(number)))
  } catch (error) {
    found.faults.set(
      'stopped',
      error instanceof Fault ? error.message : String((error as Error).stack),
    )
  }
  found.seconds = (performance.now() - start) / 1000
  probing.abort()
  await probe
  found.memory = await target.memory()
  if (!target.isAlive) found.faults.set('process', `The server exited:\n${target.log}`)
  if (target.log !== '')
    found.faults.set('log', `The server logged errors:\n${target.log.slice(0, 4000)}`)
  for (const text of (await recount(target.db)).problems) found.faults.set(text, text)
  await client.close()
  return found
}

async function runBatch(
  requester: Requester,
  steps: fc.Arbitrary<Step[]>,
  seed: number,
  found: Findings,
): Promise<void> {
  let last: Fault | undefined
  let runs = 0
  const property = fc.asyncProperty(steps, async (list) => {
    if (last && ++runs > SHRINKS) return
    for (const step of list) {
      try {
        await requester.take(step)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        if (found.faults.has(kindOf(error)) || (last && kindOf(last) !== kindOf(error))) continue
        last = error
        throw error
      }
    }
  })
  const details = await fc.check(property, { seed, numRuns: 12 })
  if (last) {
    const size = `${details.counterexample?.[0].length ?? 0} steps after ${details.numShrinks} shrinks`
    found.faults.set(kindOf(last), `${last.message}\n(batch seed ${seed}; ${size})`)
  } else if (details.failed) {
    throw details.errorInstance
  }
}

function kindOf({ message }: Fault): string {
  return (message.split('\n')[0] as string).replace(/\d+/g, 'N')
}

/**
 * Returns a function that sends a request, counts it and checks its response time. For a sample of rejected requests it
 * also checks that they changed no data.
 */
async function sender(target: Target, client: Client, gate: Gate, found: Findings) {
  const digest = await digester(target)
  let nextDigest = 0
  const look = async (sent: Sent, { id }: Operation): Promise<Got> => {
    const before = await digest()
    const got = await client.send(sent)
    if (got.status < 400 || got.status >= 500) return got
    const tables = changed(before, await digest())
    found.digests++
    if (tables === '') return got
    // Other work may have caused the change. Repeats the request, because a faulty operation changes data every time.
    for (const pause of REPEAT_PAUSES) {
      await sleep(pause)
      const digestBefore = await digest()
      const again = await client.send(sent)
      if (again.status !== got.status || changed(digestBefore, await digest()) === '') return got
    }
    throw new Fault(
      `${id}: a rejected request changed ${tables}\n\n${shown(sent)}\n\n-> ${got.text}`,
    )
  }
  return async (sent: Sent, operation: Operation): Promise<Got> => {
    const start = performance.now()
    let got: Got
    if (start > nextDigest && !CHANGES_ON_REFUSAL.has(operation.id)) {
      nextDigest = Infinity
      got = await gate.alone(() => look(sent, operation))
      const now = performance.now()
      nextDigest = now + Math.max(30, (now - start) * 4)
    } else {
      got = await gate.among(() => client.send(sent))
    }
    count(found, operation, got)
    if (got.ms > TIME_LIMIT) {
      // Repeats the request alone: a slow operation is slow without concurrent requests too.
      const [again, health] = await gate.alone(async () => [
        await fastestOf(3, () => client.send(sent)),
        await fastestOf(3, () => client.send(HEALTH)),
      ])
      if (again > Math.max(TIME_LIMIT, health * 50) && !isMachineBusy()) {
        throw new Fault(`${operation.id}: slow, ${Math.round(again)} ms\n\n${shown(sent)}`)
      }
    }
    return got
  }
}

async function fastestOf(n: number, send: () => Promise<Got>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < n; i++) times.push((await send()).ms)
  return Math.min(...times)
}

function count(found: Findings, { id }: Operation, { status, json }: Got): void {
  const tally = found.tallies.get(id) as Tally
  found.sent++
  if (status < 400 || (status === 501 && id === 'signInWithProvider')) tally.successes++
  else tally.refusals++
  if (json?.error) tally.codes.add(json.error.code)
}

async function probeHealth(target: Target, found: Findings, signal: AbortSignal): Promise<void> {
  const client = new Client(target.url, 1)
  while (!signal.aborted) {
    const status = await client.send(HEALTH).then(
      (got) => {
        found.probes.push(got.ms)
        return got.status
      },
      (error: unknown) => String(error),
    )
    if (status !== 200) found.faults.set('health', `GET /api/health returned ${status}`)
    await sleep(100)
  }
  await client.close()
}
