/** What the files of a bundle are sent as: by their names alone, from one table. */

const OTHER = 'application/octet-stream'

const TYPES: Record<string, string> = {
  html: 'text/html',
  htm: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  css: 'text/css',
  txt: 'text/plain',
  md: 'text/plain',
  csv: 'text/csv',
  vtt: 'text/vtt',
  frag: 'text/plain',
  vert: 'text/plain',
  glsl: 'text/plain',
  wgsl: 'text/plain',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  gltf: 'model/gltf+json',
  xml: 'text/xml',
  tmx: 'text/xml',
  tsx: 'text/xml',
  fnt: 'text/plain',
  atlas: 'text/plain',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  glb: 'model/gltf-binary',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  cur: 'image/x-icon',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  weba: 'audio/webm',
  mid: 'audio/midi',
  midi: 'audio/midi',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  pdf: 'application/pdf',
  zip: 'application/zip',
  swf: 'application/x-shockwave-flash',
}

/**
 * Files that engines (Unity among them) write compressed and whose loaders count on the browser to
 * unpack them: `app.wasm.br`, `app.framework.js.gz`, `app.data.gz`, `app.symbols.json.br`. Other
 * packed files are data that a game unpacks itself.
 */
const PACKED = /\.(?:js|wasm|data|symbols\.json)\.(gz|br)$/i

/** What `Content-Encoding` the file has to be sent with, if any. */
export function contentEncodingOf(path: string): 'gzip' | 'br' | undefined {
  const packed = PACKED.exec(path)?.[1]?.toLowerCase()
  return packed === 'gz' ? 'gzip' : (packed as 'br' | undefined)
}

/**
 * Whether a file is text that is as it is: to say that such a file is in UTF-8 helps where it says
 * nothing itself, and others keep what their pages say of them.
 */
export function isText(path: string): boolean {
  return contentEncodingOf(path) === undefined && mediaTypeOf(path).startsWith('text/')
}

/** The media type of a file, without parameters; of what is in it where it is sent with an encoding. */
export function mediaTypeOf(path: string): string {
  const name = contentEncodingOf(path) ? path.slice(0, path.lastIndexOf('.')) : path
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] as string) : OTHER
}

/** Whether a file is a page that can start a game. */
export function isPage(path: string): boolean {
  return mediaTypeOf(path) === 'text/html'
}

/** True for XML and SVG, which browsers show as documents with scripts. */
export function isMarkup(path: string): boolean {
  return /[/+]xml$/.test(mediaTypeOf(path))
}
