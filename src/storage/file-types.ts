/**
 * MIME types of stored files by extension. The server chose the extension from the file's bytes, so it can be
 * trusted.
 */

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

/** Matches the types that browsers may display. Files of other types are sent as downloads. */
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

export function extensionOf(type: string): string {
  const extension = extensions.get(type)
  if (!extension) throw new TypeError(`no file extension for the type ${type}`)
  return extension
}

/**
 * Returns the MIME type of a file and whether browsers may display it, or undefined for a file that must not
 * be served.
 */
export function servedAs(path: string): Served | undefined {
  return served.get(path.slice(path.lastIndexOf('.') + 1))
}
