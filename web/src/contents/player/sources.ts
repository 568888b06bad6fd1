/** Which file is played for a file of a work: one that the server made of it, else the file itself. */
import type { Conversion, Media } from '#sdk'
import { savesData } from '../../device/wishes.ts'

export interface Source {
  url: string
  /** Of the shorter side, as people name it; null for sound, and for the file as it was uploaded. */
  quality: string | null
  side: number
}

type Rendition = Conversion['renditions'][number]

/** The finest first; the file as it was uploaded, which only its author gets, is the last resort. */
export function sourcesOf(
  medium: Media,
  renditions: readonly Rendition[],
  isOnly: boolean,
): Source[] {
  // The server links the best rendition of a file; the others are beside it.
  const isConverted = renditions.some(({ url }) => url === medium.url)
  const folder = medium.url.slice(0, medium.url.lastIndexOf('/') + 1)
  const made = renditions
    .filter(
      ({ url, mime_type }) =>
        /^(video|audio)\/mp4$/.test(mime_type) &&
        (isOnly || (isConverted && url.startsWith(folder))),
    )
    .map(({ url, width, height }) => {
      const side = Math.min(width ?? 0, height ?? 0)
      return { url, side, quality: side > 0 ? `${side}p` : null }
    })
    .toSorted((a, b) => b.side - a.side)
  const others = new Set([...(isConverted ? [] : [medium.url]), medium.original_url ?? medium.url])
  if (isConverted) others.delete(medium.url)
  return [...made, ...[...others].map((url) => ({ url, quality: null, side: 0 }))]
}

/** The least that is as fine as the window can show; the least of all for who saves data. */
export function defaultOf(sources: readonly Source[]): Source | undefined {
  const named = sources.filter(({ quality }) => quality !== null)
  const shown = Math.min(innerWidth, innerHeight) * devicePixelRatio
  const fine = named.filter(({ side }) => side >= shown)
  return (savesData() ? named.at(-1) : (fine.at(-1) ?? named[0])) ?? sources[0]
}
