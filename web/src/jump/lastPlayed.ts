/** Remembers the last game played on this device, for its related shelf. */
import { keep, load } from '../device/storage.ts'

const KEY = 'plaza.jump.last'

export function lastPlayed(): string | null {
  return load(KEY)
}

/** Null removes it. */
export function rememberPlayed(id: string | null): void {
  keep(KEY, id)
}
