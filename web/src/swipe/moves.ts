import { useKeys } from '../contents/keys.ts'
import { loadSettings } from '../contents/player/kept.ts'

/** Keys that lead to other works, and how many works on. Letters can be switched off. */
const MOVES: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 1,
  PageUp: -1,
  'letter j': 1,
  'letter k': -1,
}

/** Whether shortcuts of a single letter are taken, as one chose in the player of works. */
export function usesLetters(): boolean {
  return loadSettings().usesKeys
}

export function useMoves(go: (steps: number) => void): void {
  useKeys((key) => {
    const steps = MOVES[key] ?? (usesLetters() ? MOVES[`letter ${key}`] : undefined)
    if (steps === undefined) return false
    go(steps)
    return true
  })
}
