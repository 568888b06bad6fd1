/** Which game was played last on this device, so that the shelves can go on from it. */
import { keep, load } from '../device/kept.ts'

const KEY = 'plaza.jump.last'

export function lastPlayed(): string | null {
  return load(KEY)
}

/** Null forgets it. */
export function rememberPlayed(id: string | null): void {
  keep(KEY, id)
}
