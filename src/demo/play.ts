import type { WoundClock } from './clock.ts'
import type { Entity } from './world.ts'

/** One action of a user, in one or a few API calls. */
export interface Act {
  at: number
  /** Entities that must exist before the act. The act waits for those being created. */
  needs: readonly Entity[]
  /** The entity that the act creates or changes. Acts that need it wait. */
  makes?: Entity
  /** Starts only when no other act is under way, for acts that must come after all earlier ones. */
  isLast?: boolean
  run(): Promise<unknown>
}

const DONE = Promise.resolve()
/** Maximum number of concurrent acts. Concurrent writes share commits. */
const AT_ONCE = 256

/** Runs all acts in order of time. Rejects with the first failure after the running acts have ended. */
export async function play(
  acts: readonly Act[],
  clock: WoundClock,
  onAct: (done: number, act: Act) => void,
): Promise<void> {
  const pending = new Map<Entity, Promise<void>>()
  let underWay = 0
  let done = 0
  let failure: { error: unknown } | undefined
  let wake = () => {}
  const oneLess = () => new Promise<void>((resolve) => (wake = resolve))

  async function happen(act: Act): Promise<void> {
    // Looked up synchronously, because later acts may create the same entity again.
    await Promise.all(act.needs.map((entity) => pending.get(entity) ?? DONE))
    if (failure) return
    await clock.at(act.at, act.run)
    onAct(++done, act)
  }

  function begin(act: Act): void {
    underWay++
    const { makes } = act
    const happened = happen(act)
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .then(() => {
        underWay--
        if (makes && pending.get(makes) === happened) pending.delete(makes)
        wake()
      })
    if (makes) pending.set(makes, happened)
  }

  for (const act of acts) {
    while (underWay >= (act.isLast ? 1 : AT_ONCE)) await oneLess()
    if (failure) break
    begin(act)
  }
  while (underWay > 0) await oneLess()
  if (failure) throw failure.error
}
