import { useKeys } from '../contents/keys.ts'
import { loadSettings } from '../contents/player/settings.ts'

const MOVES: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 1,
  PageUp: -1,
  'letter j': 1,
  'letter k': -1,
}

/**
 * True unless the viewer has turned off keyboard shortcuts. The media player's setting also applies to the letter
 * shortcuts of this page.
 */
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
