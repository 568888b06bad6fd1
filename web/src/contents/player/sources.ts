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

/** The finest first; the file as it was uploaded is the last resort. */
export function sourcesOf(
  medium: Media,
  renditions: readonly Rendition[],
  isOnly: boolean,
): Source[] {
  const below = `${medium.url.replace(/\.[a-z0-9]+$/, '')}/`
  const made = renditions
    .filter(
      ({ url, mime_type }) =>
        /^(video|audio)\/mp4$/.test(mime_type) && (isOnly || url.startsWith(below)),
    )
    .map(({ url, width, height }) => {
      const side = Math.min(width ?? 0, height ?? 0)
      return { url, side, quality: side > 0 ? `${side}p` : null }
    })
    .toSorted((a, b) => b.side - a.side)
  return [...made, { url: medium.url, quality: null, side: 0 }]
}

/** The least that is as fine as the window can show; the least of all for who saves data. */
export function defaultOf(sources: readonly Source[]): Source | undefined {
  const named = sources.filter(({ quality }) => quality !== null)
  const shown = Math.min(innerWidth, innerHeight) * devicePixelRatio
  const fine = named.filter(({ side }) => side >= shown)
  return (savesData() ? named.at(-1) : (fine.at(-1) ?? named[0])) ?? sources[0]
}
