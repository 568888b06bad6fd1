/** What kinds of files there are, told by their type. */
import type { BundleKind } from '../bundles/bundle.ts'

export type Kind = 'picture' | 'video' | 'sound' | 'bundle'

const BUNDLES: Record<string, BundleKind> = {
  'application/zip': 'zip',
  'application/wasm': 'wasm',
  'application/x-shockwave-flash': 'swf',
}

/** Undefined for what is no bundle. */
export function bundleKindOf(mimeType: string): BundleKind | undefined {
  return BUNDLES[mimeType]
}

/** Of a type that uploads may have. */
export function kindOf(mimeType: string): Kind {
  if (mimeType.startsWith('image/')) return 'picture'
  if (mimeType.startsWith('video/')) return 'video'
  return mimeType.startsWith('audio/') ? 'sound' : 'bundle'
}
