import fc from 'fast-check'
import type { Loose } from '../../test/actors.ts'
import { Client, cut, type Got, shown } from './client.ts'
import type { Description } from './document.ts'
import { Fault, Requester, type Outcome } from './requester.ts'
import { anyStep, type Step } from './steps.ts'
import { startTarget, type Target } from './target.ts'
import { tour } from './tour.ts'

const ID = /\b([a-z]{3})_[0-9a-z]{26}\b/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+[^"\s]*/g
/** Matches fields whose values are random or depend on background work. */
const LOOSE_FIELDS =
  /^(access_token|refresh_token|captcha_token|raw_key|last_four|key_prefix|prefix|secret|signing_secret|challenge|meta|request_id|view_count|thumbnail_url|job|duration_ms|version|uptime.*|last_used_at|last_seen_at|expires_in|message|deliveries|delivery|failure_count|is_active|last_delivery.*)$/

/**
 * Sends up to `requests` generated requests to both engines, after the tour (tour.ts), and compares the responses.
 * Prints the first difference and stops. Returns the number of differences: 0 or 1.
 */
export async function runDifferential(
  document: Description,
  requests: number,
  seed: number,
): Promise<number> {
  const sides = await Promise.all([open('sqlite', document), open('postgres', document)])
  const arbitrary = anyStep(document.operations)
  const started = performance.now()
  let compared = 0
  let differing = 0
  try {
    for (const { requester } of sides) await tour(requester, document)
    while (compared < requests && differing === 0) {
      const steps = fc.sample(arbitrary, { seed: seed + compared, numRuns: 200 })
      console.error(`${compared} requests`)
      for (const { requester } of sides) await requester.revive()
      for (const step of steps.slice(0, requests - compared)) {
        compared++
        const outcomes = await Promise.all(sides.map(({ requester }) => attempt(requester, step)))
        const [left, right] = sides.map((side, i) => side.describe(outcomes[i] as Outcome))
        if (left === right) continue
        differing++
        const sent = shown((outcomes[0] as Outcome).sent)
        console.log(`\n${step.operation.id}\n${sent}\nsqlite   ${left}\npostgres ${right}`)
        break
      }
    }
  } finally {
    for (const { close } of sides) await close()
  }
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${compared} requests to both engines, ${differing} different responses, in ${seconds.toFixed(1)} s (seed ${seed})`,
  )
  return differing
}

/** Runs a step. Returns a fault as a response, so that a fault on only one engine counts as a difference. */
async function attempt(requester: Requester, step: Step): Promise<Outcome> {
  try {
    return await requester.take(step)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const got: Got = { status: 0, headers: {}, text: error.message, json: undefined, ms: 0 }
    return { sent: { method: '', path: '', headers: {}, body: undefined }, got }
  }
}

async function open(engine: Target['engine'], document: Description) {
  const target = await startTarget(engine)
  const client = new Client(target.url, 1)
  const requester = new Requester('0', target, document, {
    send: (sent) => client.send(sent),
    alone: (action) => action(),
  })
  await requester.open()
  const names = new Map<string, string>()
  /** Names an id by its prefix and the order of its first appearance, so that both engines use equal names. */
  const nameOf = (id: string, prefix: string) => {
    if (!names.has(id)) names.set(id, `${prefix}#${names.size}`)
    return names.get(id) as string
  }
  const describe = ({ got: { status, headers, json, text } }: Outcome): string => {
    // The drawn thumbnail of a game depends on the content's id, which differs between the engines.
    if (String(headers['content-type']).startsWith('image/')) return `${status} an image`
    const body = json === undefined ? text : JSON.stringify(withoutLoose(json))
    const plain = body
      .replace(ID, (id, prefix: string) => nameOf(id, prefix))
      .replace(TIME, 'T')
      .replace(ADDRESS, 'A')
    return `${status} ${cut(plain)}`
  }
  const close = async () => {
    await client.close()
    await target.close()
  }
  return { requester, describe, close }
}

function withoutLoose(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(withoutLoose)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      LOOSE_FIELDS.test(name) ? '*' : withoutLoose(item),
    ]),
  )
}
