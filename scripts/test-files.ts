import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Files that run on one engine only, because the engine makes no difference to their tests. */
const ENGINELESS = [
  'sdk/',
  'src/bundles/',
  'src/conversion/colours',
  'src/conversion/convert',
  'src/conversion/process',
  'src/demo/games/',
  'src/files/guard',
  'src/games/browser',
  'src/games/confinement',
  'src/games/keyboard',
  'src/games/listen',
  'src/games/origin',
  'src/games/players',
  'src/http/server/body-timeout',
  'src/http/server/protocol',
  'src/openapi/',
  'src/pictures/',
  'src/thumbnails/browser',
  'src/uploads/corpus',
  'src/uploads/forms',
  'src/uploads/media',
  'src/web/',
  'src/webhooks/guard',
  'src/webhooks/network',
  'test/installed-node',
  'test/layout',
  'test/licences',
  'test/package',
  'test/raw',
  'test/readme',
  'web/',
]

/** Exception to ENGINELESS: this file runs on both engines, because it tests backup and restore. */
const ON_BOTH = 'web/journeys/life.test.ts'

/** Slow files, slowest first. They start first, because a slow file at the end would prolong the run. */
export const LONG = [
  'web/journeys/pages',
  'src/demo/demo',
  'web/journeys/steady',
  'web/journeys/installing',
  'web/journeys/life',
  'src/server',
  'src/thumbnails/browser',
  'web/journeys/history',
  'web/journeys/keeping',
  'src/data-dir',
  'src/web/build',
  'src/conversion/ending',
  'web/journeys/reaching',
  'src/games/confinement',
  'web/journeys/talking',
  'web/journeys/framing',
  'web/journeys/player',
  'src/conversion/convert',
  'src/conversion/colours',
  'src/games/keyboard',
  'web/journeys/watching',
  'web/journeys/moving',
  'src/backup/backup',
  'test/migrations',
  'web/journeys/playing',
  'web/journeys/drafting',
  'web/journeys/keyboard',
  'src/conversion/process',
  'test/processes',
  'test/replica',
]

/** Slow files. `npm test` without arguments skips them and the files that need a browser or ffmpeg. */
const SLOW = [
  'src/backup/',
  'src/cli/',
  'src/data-dir',
  'src/demo/',
  'src/doctor/',
  'src/files/',
  'src/games/',
  'src/jobs/program',
  'src/server',
  'src/start.',
  'src/uploads/corpus',
  'src/uploads/disk',
  'src/uploads/full',
  'src/uploads/media',
  'src/web/',
  'src/webhooks/network',
  'test/',
]
const USES_PROGRAM = /playwright|\/(?:chromium|conversions|stage|videos)\.ts'/

export function findTestFiles(parts: readonly string[]): string[] {
  return globSync(['{src,test,sdk,web}/**/*.test.ts'], { cwd: root })
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort()
    .map((file) => resolve(root, file))
}

export function isQuick(file: string): boolean {
  const isSlow = SLOW.some((part) => file.startsWith(join(root, part)))
  return !isSlow && !USES_PROGRAM.test(readFileSync(file, 'utf8'))
}

/** Counts the tests that the files declare. Tests in loops count once. */
export function countTests(files: readonly string[]): number {
  const declared = files.map((file) => readFileSync(file, 'utf8').match(/^\s*(?:await )?test\(/gm))
  return declared.reduce((sum, found) => sum + (found?.length ?? 0), 0)
}

export function usesDatabase(file: string): boolean {
  if (file === join(root, ON_BOTH)) return true
  if (ENGINELESS.some((part) => file.startsWith(join(root, part)))) return false
  return readFileSync(file, 'utf8').includes("/test/app.ts'") || file.startsWith(join(root, 'test'))
}
