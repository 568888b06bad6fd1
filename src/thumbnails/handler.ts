/**
 * Makes thumbnails of games: a screenshot of the running game, else a picture in its bundle, else a drawing.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { queuePicture, showPicture } from '../contents/media.ts'
import type { GameInfo } from '../contents/schema.ts'
import { queueSizes } from '../contents/sizes.ts'
import type { Db, Tx } from '../db/handle.ts'
import type { JobRow } from '../db/media-tables.ts'
import type { GameLinks } from '../games/links.ts'
import { findGame, type Game } from '../games/rules.ts'
import type { Finish, JobControl, Worker } from '../jobs/worker.ts'
import { openPicture } from '../pictures/libvips.ts'
import { writeThumbnail } from '../pictures/thumbnail.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import { addMadeFile } from '../uploads/rules.ts'
import { findArt } from './art.ts'
import { type Browser, withBrowser } from './browser.ts'
import { drawCard } from './card.ts'
import { findBeneficiary, findPictured } from './queries.ts'
import { takePicture } from './screenshot.ts'

const TYPE = 'image/webp'
const LONG = 1280
const SHORT = 720

export interface ThumbnailDeps {
  db: Db
  clock: Clock
  log: Logger
  store: Store
  staging: Staging
  worker: Worker
  games: GameLinks
}

/** Registers the handler of the jobs that make thumbnails of games. The jobs wait until `browser` resolves. */
export function handleThumbnails(deps: ThumbnailDeps, browser: Promise<Browser | undefined>): void {
  deps.worker.handle('thumbnail', (job, control) => run(deps, browser, job, control), {
    neededBy: (db, { subject }) => findBeneficiary(db, subject),
  })
}

async function run(
  deps: ThumbnailDeps,
  browser: Promise<Browser | undefined>,
  { subject: id }: JobRow,
  control: JobControl,
): Promise<Finish | void> {
  const { db, staging, store, clock } = deps
  const [content, game] = [await findPictured(db, id), await findGame(db, id)]
  if (!content || !game || content.status === 'archived') return
  if (content.thumbnail_upload_id !== null) return (tx) => leaveChosen(tx, id, clock.now())
  const info: GameInfo | null = content.game === null ? null : JSON.parse(content.game)
  const isPortrait = info?.orientation === 'portrait'
  const running = await takeRunning(deps, await browser, game, { isPortrait, control })
  const art = running ? undefined : await findArt(deps, game, control.signal)
  const file = await staging.withFolder(async (folder) => {
    const localFile = join(folder, 'thumbnail')
    if (art) await writeFile(localFile, art, { mode: 0o600 })
    else await writeThumbnail(running ?? drawCard(id, isPortrait), localFile)
    const bytes = await readFile(localFile)
    const { width, height } = await (await openPicture(localFile)).metadata()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const path = `${sha256}.webp`
    await store.put(path, localFile, TYPE)
    return { sha256, path, size_bytes: bytes.length, width, height }
  })
  return async (tx) => {
    const now = clock.now()
    await queueSizes(tx, content, now)
    await showPicture(tx, id, file.path)
    const row = {
      ...file,
      mime_type: TYPE,
      duration_ms: null,
      audio_codec: null,
      thumbnail_path: file.path,
      stored_bytes: file.size_bytes,
      rendition_bytes: 0,
      file_count: 1,
      is_measured: 1,
      created_at: now,
    } as const
    await addMadeFile(tx, content.creator_id, row, now)
  }
}

/**
 * Called when a job made no thumbnail because the author had chosen one. Queues the job again if the author has removed
 * the chosen thumbnail since.
 */
async function leaveChosen(tx: Tx, id: string, now: number): Promise<void> {
  const content = await findPictured(tx, id)
  if (content?.thumbnail_upload_id === null) await queuePicture(tx, content, now)
}

/**
 * Returns a screenshot of the running game. Returns undefined when no browser is usable, or when the screenshot fails
 * or is blank.
 */
async function takeRunning(
  { games, clock, log }: ThumbnailDeps,
  browser: Browser | undefined,
  game: Game,
  { isPortrait, control }: { isPortrait: boolean; control: JobControl },
): Promise<Buffer | undefined> {
  if (!browser) return undefined
  const { url, origin } = games.localLaunch(game.id, clock.now())
  const [width, height] = isPortrait ? [SHORT, LONG] : [LONG, SHORT]
  try {
    const picture = await withBrowser(browser, origin, control.signal, (tools) =>
      takePicture(tools, { url, width, height }),
    )
    if (!picture && browser.isSandboxed === false) {
      log.warn('screenshot not possible: the sandbox of Chromium does not work on this machine')
    }
    return picture
  } catch (error) {
    control.signal.throwIfAborted()
    log.warn({ err: error, game: game.id }, 'screenshot failed: another thumbnail is used')
    return undefined
  }
}
