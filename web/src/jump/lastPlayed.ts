/** Stores the last game played on this device. The Jump page shows games related to it. */
import { keep, load } from '../device/storage.ts'

const KEY = 'plaza.jump.last'

export function lastPlayed(): string | null {
  return load(KEY)
}

/** Null removes it. */
export function rememberPlayed(id: string | null): void {
  keep(KEY, id)
}
