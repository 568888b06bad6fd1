import { open, readFile } from 'node:fs/promises'
import { bundlePath } from '../bundles/rules.ts'
import type { Handle } from '../db/handle.ts'
import type { Game } from '../games/rules.ts'
import { preparePicture } from '../pictures/prepare.ts'
import { PictureRefused } from '../pictures/refused.ts'
import { readDetail } from '../pictures/thumbnail.ts'
import type { Staging } from '../storage/staging.ts'
import type { Store } from '../storage/store.ts'
import { HEAD_BYTES, sniff } from '../uploads/sniff.ts'
import { listPictures } from './queries.ts'

const TRIED_MAX = 12
const BYTES_MAX = 20 * 1024 * 1024
/** Minimum width and height in pixels. Smaller pictures are usually icons. */
const SIDE_MIN = 120
/** Maximum ratio of the longer to the shorter side. Longer pictures are usually strips of animation frames. */
const RATIO_MAX = 2.5

/** File names of title pictures, best first. Pictures with other names are tried last, largest first. */
const TITLE_NAMES = [
  /og[-_. ]?image|social/,
  /cover|thumb|capsule/,
  /screen[-_. ]?shot|preview|promo/,
  /title|splash|banner|key[-_. ]?art/,
  /background|\bbg\b/,
  /logo|icon/,
]
/** File names of pictures that are never tried: sprite sheets and others that games rarely show whole. */
const SPRITE_NAMES = /sprite|atlas|tile|sheet|font|texture|spine|button|cursor|particle/

/**
 * Returns a WebP thumbnail of the first suitable picture in the game's bundle, or undefined when none is suitable.
 * Tries up to TRIED_MAX pictures, best names first.
 */
export async function findArt(
  { db, store, staging }: { db: Handle; store: Store; staging: Staging },
  { file: { sha256 } }: Game,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const pictures = (await listPictures(db, sha256))
    .filter(({ path, size_bytes }) => size_bytes <= BYTES_MAX && !SPRITE_NAMES.test(nameOf(path)))
    .map((picture) => ({ ...picture, rank: rankOf(picture.path) }))
    .sort((a, b) => a.rank - b.rank || b.size_bytes - a.size_bytes)
  for (const { position, mime_type } of pictures.slice(0, TRIED_MAX)) {
    signal.throwIfAborted()
    const thumbnail = await store.withLocalFile(bundlePath(sha256, position), (localFile) =>
      staging.withFolder((folder) => readIfSuitable(localFile, mime_type, folder)),
    )
    if (thumbnail) return thumbnail
  }
  return undefined
}

function rankOf(path: string): number {
  const rank = TITLE_NAMES.findIndex((name) => name.test(nameOf(path)))
  return rank === -1 ? TITLE_NAMES.length : rank
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

/**
 * Returns a WebP thumbnail, or undefined for an unsuitable picture: mislabelled, refused by the rules of uploads, too
 * small, too narrow or blank.
 */
async function readIfSuitable(
  localFile: string,
  mimeType: string,
  folder: string,
): Promise<Buffer | undefined> {
  if ((await readType(localFile)) !== mimeType) return undefined
  try {
    // Applies the checks and limits of uploads, because files in bundles are untrusted.
    const { width, height, thumbnail } = await preparePicture(localFile, mimeType, folder)
    const ratio = Math.max(width / height, height / width)
    if (Math.min(width, height) < SIDE_MIN || ratio > RATIO_MAX) return undefined
    return (await readDetail(thumbnail)) === 0 ? undefined : await readFile(thumbnail)
  } catch (error) {
    if (error instanceof PictureRefused) return undefined
    throw error
  }
}

async function readType(localFile: string): Promise<string | undefined> {
  const handle = await open(localFile)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return sniff(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}
