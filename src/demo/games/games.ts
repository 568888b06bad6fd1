import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tongue } from '../phrase.ts'
import games from './games.json' with { type: 'json' }

export interface Game {
  runtime: 'html5' | 'wasm' | 'swf'
  file: string
  cover: string
  orientation: 'landscape' | 'portrait'
  controls: string[]
  texts: Record<Tongue, { title: string; description: string }>
}

/** The demo's games, one for each runtime. README.md describes how they were built. */
export const GAMES = games as Game[]

export function readGame(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, name))
}
