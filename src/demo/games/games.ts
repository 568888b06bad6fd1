import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tongue } from '../phrase.ts'
import games from './games.json' with { type: 'json' }

export interface Game {
  /** The runtime that the server should detect. */
  runtime: 'html5' | 'wasm' | 'swf'
  file: string
  /** An SVG picture. */
  cover: string
  orientation: 'landscape' | 'portrait'
  /** Short enough to need no translation. */
  controls: string[]
  texts: Record<Tongue, { title: string; description: string }>
}

/** The playable demo games, one per runtime. README.md says how they were built. */
export const GAMES = games as Game[]

export function readGame(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, name))
}
