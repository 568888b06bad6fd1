/** Lists the playable demo games, one per runtime. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakoutCover, nightFlightCover, starfallCover } from '../art/covers.ts'
import type { Tongue } from '../phrase.ts'
import { writeNightFlight } from './night-flight.ts'
import { assembleStarfall } from './starfall.ts'
import { zip } from './zip.ts'

export interface Game {
  /** The runtime that the server should detect. */
  runtime: 'html5' | 'wasm' | 'swf'
  /** Returns the file to upload. */
  bytes(): Buffer
  /** Returns the cover as SVG. */
  cover(): string
  orientation: 'landscape' | 'portrait' | 'any'
  /** Short enough to need no translation. */
  controls: string[]
  texts: Record<Tongue, { title: string; description: string }>
}

const BREAKOUT = ['index.html', 'game.js', 'style.css']

export const GAMES: readonly Game[] = [
  {
    runtime: 'html5',
    bytes: () =>
      zip(
        BREAKOUT.map((name) => ({
          name,
          bytes: readFileSync(join(import.meta.dirname, 'breakout', name)),
        })),
      ),
    cover: breakoutCover,
    orientation: 'portrait',
    controls: ['← →', 'Space', '끌기 · Drag'],
    texts: {
      ko: {
        title: '별빛 벽돌깨기',
        description: '밤하늘에 떠 있는 벽돌을 모두 깨 보세요. 단계가 오를수록 공이 빨라집니다.',
      },
      en: {
        title: 'Starlight Breakout',
        description:
          'Clear the wall that floats in the night sky. Every level, the ball gets faster.',
      },
    },
  },
  {
    runtime: 'wasm',
    bytes: assembleStarfall,
    cover: starfallCover,
    orientation: 'portrait',
    controls: ['← →', 'Space', '끌기 · Drag'],
    texts: {
      ko: {
        title: '별똥별 받기',
        description: '떨어지는 별은 받고 돌은 피하세요. 목숨은 셋, 갈수록 빨라집니다.',
      },
      en: {
        title: 'Starfall',
        description:
          'Catch the stars, keep clear of the rocks. Three lives, and it only gets faster.',
      },
    },
  },
  {
    runtime: 'swf',
    bytes: writeNightFlight,
    cover: nightFlightCover,
    orientation: 'landscape',
    controls: ['← ↑ ↓ →', '마우스 · Mouse'],
    texts: {
      ko: {
        title: '밤 비행',
        description: '로켓을 몰아 별을 모으고 먹구름은 피하세요. 막대가 찰 때마다 더 빨라집니다.',
      },
      en: {
        title: 'Night Flight',
        description:
          'Steer the rocket, gather stars, avoid the clouds. Each full bar makes you faster.',
      },
    },
  },
]
