import type { GameInfo } from '#sdk'

const RUNTIMES = { html5: 'HTML5', wasm: 'WebAssembly', swf: 'Flash' }

/** The name of what a game runs in; undefined where it has no bundle, and cannot be played. */
export function runtimeName(runtime: string | null | undefined): string | undefined {
  return runtime ? (RUNTIMES[runtime as keyof typeof RUNTIMES] ?? runtime) : undefined
}

export type Obstacle = 'noBundle' | 'noWasm'

/** Why a game cannot be played here, if it cannot. Flash films run in a WebAssembly program. */
export function obstacleOf(game: GameInfo | null): Obstacle | undefined {
  if (!game?.runtime) return 'noBundle'
  if (game.runtime !== 'html5' && typeof WebAssembly === 'undefined') return 'noWasm'
  return undefined
}

/** How a game is played, line by line: creators write a text, a list of texts, or nothing. */
export function controlLines(controls: unknown): string[] {
  const lines = Array.isArray(controls) ? (controls as unknown[]) : [controls]
  return lines.filter((line): line is string => typeof line === 'string' && line.trim() !== '')
}
