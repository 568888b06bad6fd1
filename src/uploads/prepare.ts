import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BundleRefused, type Bundle, type OnUnpack } from '../bundles/bundle.ts'
import { inspectBundle } from '../bundles/inspect.ts'
import { invalid } from '../errors.ts'
import { preparePicture } from '../pictures/prepare.ts'
import { PictureRefused } from '../pictures/refused.ts'
import type { MediaFacts, MediaFactsReader } from './facts.ts'
import { bundleKindOf, kindOf } from './kinds.ts'
import { FILE_FIELD } from './schema.ts'
import { type Hashed, hashFile } from './stage.ts'

export interface StagedFile extends Hashed {
  localFile: string
  mimeType: string
}

export interface PreparedFile extends StagedFile {
  width: number | null
  height: number | null
  durationMs: number | null
  /** Codec of an audio file. Null for other files, and when the codec is unknown. */
  audioCodec: string | null
  /** WebP thumbnail; null for files other than pictures. */
  thumbnail: (Hashed & { localFile: string }) | null
  bundle: Bundle | null
}

/**
 * Prepares a staged file for storing, and returns the prepared file. Removes the metadata of a picture and makes its
 * thumbnail, unpacks a bundle, or reads the dimensions and duration of a media file. Writes only into `folder`. Calls
 * `onUnpack` before unpacking an archive. Errors: 422 on the file for an invalid picture or bundle; StorageFull.
 */
export async function prepareFile(
  staged: StagedFile,
  folder: string,
  facts: MediaFactsReader,
  onUnpack: OnUnpack,
): Promise<PreparedFile> {
  const plain = {
    width: null,
    height: null,
    durationMs: null,
    audioCodec: null,
    thumbnail: null,
    bundle: null,
  }
  switch (kindOf(staged.mimeType)) {
    case 'picture':
      return { ...staged, ...plain, ...(await prepare(preparePictureOf(staged, folder))) }
    case 'bundle':
      return { ...staged, ...plain, bundle: await prepare(prepareBundle(staged, folder, onUnpack)) }
    default: {
      const found = await facts.read(staged.localFile, staged.mimeType)
      const { width = null, height = null, durationMs = null } = found ?? {}
      const mimeType = typeWith(staged.mimeType, found)
      const audioCodec = kindOf(mimeType) === 'sound' ? (found?.audioCodec ?? null) : null
      return { ...staged, ...plain, mimeType, width, height, durationMs, audioCodec }
    }
  }
}

async function prepare<T>(preparing: Promise<T>): Promise<T> {
  try {
    return await preparing
  } catch (error) {
    if (!(error instanceof PictureRefused || error instanceof BundleRefused)) throw error
    throw invalid(FILE_FIELD, error.key, error.params)
  }
}

async function preparePictureOf(staged: StagedFile, folder: string) {
  const picture = await preparePicture(staged.localFile, staged.mimeType, folder)
  const { localFile, width, height } = picture
  const isSame = localFile === staged.localFile
  return {
    localFile,
    width,
    height,
    ...(!isSame && (await hashFile(localFile))),
    thumbnail: { localFile: picture.thumbnail, ...(await hashFile(picture.thumbnail)) },
  }
}

async function prepareBundle(
  { localFile, mimeType }: StagedFile,
  folder: string,
  onUnpack: OnUnpack,
) {
  const kind = bundleKindOf(mimeType)
  if (!kind) throw new TypeError(`${mimeType} is not a bundle type`)
  const unpacked = join(folder, 'bundle')
  await mkdir(unpacked, { mode: 0o700 })
  return inspectBundle(localFile, kind, unpacked, onUnpack)
}

/**
 * Returns the MIME type of a media file. MP4, QuickTime and WebM files get a video type with a video track, and an
 * audio type without one. Without `facts`, returns `mimeType` unchanged.
 */
function typeWith(mimeType: string, facts: MediaFacts | null): string {
  if (!facts) return mimeType
  if (mimeType === 'audio/mp4') return facts.hasVideo ? 'video/mp4' : mimeType
  if (facts.hasVideo) return mimeType
  if (mimeType === 'video/webm') return 'audio/webm'
  return mimeType === 'video/mp4' || mimeType === 'video/quicktime' ? 'audio/mp4' : mimeType
}
