import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tongue } from '../phrase.ts'
import games from './games.json' with { type: 'json' }

export interface Game {
  /** Runtime that the server detects in the file. */
  runtime: 'html5' | 'wasm' | 'swf'
  file: string
  /** An SVG picture. */
  cover: string
  orientation: 'landscape' | 'portrait'
  /** Short instructions that are not translated. */
  controls: string[]
  texts: Record<Tongue, { title: string; description: string }>
}

/** Playable demo games, one for each runtime. README.md describes how they were built. */
export const GAMES = games as Game[]

export function readGame(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, name))
}
