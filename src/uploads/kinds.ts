import type { BundleKind } from '../bundles/bundle.ts'

export type Kind = 'picture' | 'video' | 'sound' | 'bundle'

const BUNDLES: Record<string, BundleKind> = {
  'application/zip': 'zip',
  'application/wasm': 'wasm',
  'application/x-shockwave-flash': 'swf',
}

export function bundleKindOf(mimeType: string): BundleKind | undefined {
  return BUNDLES[mimeType]
}

export function kindOf(mimeType: string): Kind {
  if (mimeType.startsWith('image/')) return 'picture'
  if (mimeType.startsWith('video/')) return 'video'
  return mimeType.startsWith('audio/') ? 'sound' : 'bundle'
}
