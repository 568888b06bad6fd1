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
 * Matches files compressed by game engines such as Unity: `app.wasm.br`, `app.data.gz`. The loaders of these engines
 * expect the browser to decompress the files.
 */
const PACKED = /\.(?:js|wasm|data|symbols\.json)\.(gz|br)$/i

export function contentEncodingOf(path: string): 'gzip' | 'br' | undefined {
  const packed = PACKED.exec(path)?.[1]?.toLowerCase()
  return packed === 'gz' ? 'gzip' : (packed as 'br' | undefined)
}

/** True for an uncompressed file with a `text/` media type, which excludes JSON and SVG. */
export function isText(path: string): boolean {
  return contentEncodingOf(path) === undefined && mediaTypeOf(path).startsWith('text/')
}

/**
 * Returns the media type without parameters. For a file compressed by a game engine, this is the type of the
 * uncompressed content.
 */
export function mediaTypeOf(path: string): string {
  const name = contentEncodingOf(path) ? path.slice(0, path.lastIndexOf('.')) : path
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] as string) : OTHER
}

export function isPage(path: string): boolean {
  return mediaTypeOf(path) === 'text/html'
}

/** True for XML and SVG files, which browsers display as documents that can run scripts. */
export function isMarkup(path: string): boolean {
  return /[/+]xml$/.test(mediaTypeOf(path))
}
