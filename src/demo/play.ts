import type { WoundClock } from './clock.ts'
import type { Entity, Interaction, User } from './world.ts'

export interface Act {
  time: number
  needs: readonly Entity[]
  /** Acts that need this entity wait for this act. */
  makes?: Entity
  /** The act starts only after all earlier acts have finished. */
  isLast?: boolean
  run(): Promise<unknown>
}

/** Maximum number of concurrent acts. Many at once are faster, because concurrent writes share commits. */
const AT_ONCE = 256

/** Starts acts in order of time. When an act fails, starts no more acts, waits for the running ones and rejects. */
export async function play(
  acts: readonly Act[],
  clock: WoundClock,
  onAct: (done: number, act: Act) => void,
): Promise<void> {
  const makers = new Map<Entity, Promise<void>>()
  const failures: unknown[] = []
  let [underWay, done] = [0, 0]
  let wake = () => {}
  const oneLess = () => new Promise<void>((resolve) => (wake = resolve))

  async function happen(act: Act): Promise<void> {
    try {
      // Reads `makers` synchronously, because a later act with the same entity replaces the entry.
      await Promise.all(act.needs.flatMap((entity) => makers.get(entity) ?? []))
      if (failures.length > 0) return
      await clock.runAt(act.time, act.run)
      onAct(++done, act)
    } catch (error) {
      failures.push(error)
    } finally {
      underWay--
      wake()
    }
  }

  for (const act of acts) {
    while (underWay >= (act.isLast ? 1 : AT_ONCE)) await oneLess()
    if (failures.length > 0) break
    underWay++
    const happened = happen(act)
    if (act.makes) makers.set(act.makes, happened)
  }
  while (underWay > 0) await oneLess()
  if (failures.length > 0) throw failures[0]
}

export function interacting<T extends Entity>(
  interactions: readonly Interaction<T>[],
  run: (user: User, target: T) => Promise<unknown>,
): Act[] {
  return interactions.map(({ target, user, time }) => {
    return { time, needs: [target, user], run: () => run(user, target) }
  })
}
