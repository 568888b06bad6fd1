import type { WoundClock } from './clock.ts'
import type { Entity } from './world.ts'

/** Something that somebody does, by a call or a few. */
export interface Act {
  at: number
  /** What must be there before, if it is only being made. */
  needs: readonly Entity[]
  /** What is there, or has changed, afterwards: who needs it waits. */
  makes?: Entity
  /** Begins when nothing else is under way: for what ends that others act, and for what is not overtaken. */
  isLast?: boolean
  run(): Promise<unknown>
}

const DONE = Promise.resolve()
/** Acts under way together: their writes share commits, and one that waits holds up few others. */
const AT_ONCE = 256

/** Lets all happen in the order of time. Rejects with the first failure, once what was under way is over. */
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
    // Looked up at once: later acts may make the same again.
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
