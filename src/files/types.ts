/** What a stored file is served as: told by its name, which the server made after looking at its bytes. */

const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  weba: 'audio/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  m3u8: 'application/vnd.apple.mpegurl',
  zip: 'application/zip',
  wasm: 'application/wasm',
  swf: 'application/x-shockwave-flash',
}

/** What a browser may show by itself; all else it is told to save. */
const SHOWN = /^(image|video|audio)\/|mpegurl/

interface Served {
  type: string
  isShown: boolean
}

const served = new Map(
  Object.entries(TYPES).map(([extension, type]) => [
    extension,
    { type, isShown: SHOWN.test(type) } satisfies Served,
  ]),
)

const extensions = new Map(Object.entries(TYPES).map(([extension, type]) => [type, extension]))

/** What the name of a stored file of this type ends with. */
export function extensionOf(type: string): string {
  const extension = extensions.get(type)
  if (!extension) throw new TypeError(`no stored file is of the type ${type}`)
  return extension
}

/** Undefined for a name that is not served. */
export function servedAs(path: string): Served | undefined {
  return served.get(path.slice(path.lastIndexOf('.') + 1))
}
