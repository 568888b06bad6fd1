/** Looks through the bundle of an HTML5 game for a picture that could stand for it. */
import { bundlePath } from '../bundles/rules.ts'
import type { Handle } from '../db/handle.ts'
import type { Game } from '../games/rules.ts'
import { openPicture } from '../pictures/libvips.ts'
import type { Store } from '../storage/store.ts'
import { readDetail } from './detail.ts'
import { listPictures } from './queries.ts'

/** So many files are opened at most. */
const TRIED_MAX = 12
const BYTES_MAX = 20 * 1024 * 1024
/** Pixels: less is an icon of something in the game. */
const SIDE_MIN = 120
/** Longer than this against their width, or wider, are strips of frames. */
const RATIO_MAX = 2.5

/** Names that say so, the surest first; what is none of them comes after, the largest first. */
const TELLING = [
  /og[-_. ]?image|social/,
  /cover|thumb|capsule/,
  /screen[-_. ]?shot|preview|promo/,
  /title|splash|banner|key[-_. ]?art/,
  /background|\bbg\b/,
  /logo|icon/,
]
/** What is cut into pieces before it is shown. */
const PIECES = /sprite|atlas|tile|sheet|font|texture|spine|button|cursor|particle/

/** A picture of the bundle as it is, or undefined where none will do. */
export async function findArt(
  { db, store }: { db: Handle; store: Store },
  { file: { sha256 } }: Game,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const pictures = (await listPictures(db, sha256))
    .filter(({ path, size_bytes }) => size_bytes <= BYTES_MAX && !PIECES.test(nameOf(path)))
    .map((picture) => ({ ...picture, rank: rankOf(picture.path) }))
    .sort((a, b) => a.rank - b.rank || b.size_bytes - a.size_bytes)
  for (const { position } of pictures.slice(0, TRIED_MAX)) {
    signal.throwIfAborted()
    const bytes = await store.withLocalFile(bundlePath(sha256, position), readIfTelling)
    if (bytes) return bytes
  }
  return undefined
}

function rankOf(path: string): number {
  const rank = TELLING.findIndex((name) => name.test(nameOf(path)))
  return rank === -1 ? TELLING.length : rank
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

/** The picture without its metadata, if it is one, large enough, and shows something. */
async function readIfTelling(localFile: string): Promise<Buffer | undefined> {
  try {
    const picture = await openPicture(localFile)
    const { width, height } = await picture.metadata()
    const ratio = Math.max(width / height, height / width)
    if (Math.min(width, height) < SIDE_MIN || ratio > RATIO_MAX) return undefined
    if ((await readDetail(localFile)) === 0) return undefined
    return await picture.png().toBuffer()
  } catch {
    // Whatever its name says, it is no picture.
    return undefined
  }
}
