import type { GameInfo } from '#sdk'

const RUNTIMES = { html5: 'HTML5', wasm: 'WebAssembly', swf: 'Flash' }

/** Returns the display name of a runtime. Undefined for a game without a bundle, which is not playable. */
export function runtimeName(runtime: string | null | undefined): string | undefined {
  return runtime ? (RUNTIMES[runtime as keyof typeof RUNTIMES] ?? runtime) : undefined
}

export type Obstacle = 'noBundle' | 'noWasm'

/**
 * Returns the reason why a game cannot run, or undefined if it can. The Flash player Ruffle requires
 * WebAssembly.
 */
export function obstacleOf(game: GameInfo | null): Obstacle | undefined {
  if (!game?.runtime) return 'noBundle'
  if (game.runtime !== 'html5' && typeof WebAssembly === 'undefined') return 'noWasm'
  return undefined
}

/** Returns the controls of a game as lines. The API returns them as a text, a list of texts, or null. */
export function controlLines(controls: unknown): string[] {
  const lines = Array.isArray(controls) ? (controls as unknown[]) : [controls]
  return lines.filter((line): line is string => typeof line === 'string' && line.trim() !== '')
}
