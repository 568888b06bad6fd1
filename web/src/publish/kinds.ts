/** The API's rules for file types and content types. */

export type Kind = 'picture' | 'video' | 'sound' | 'bundle'
export type ContentType = 'video' | 'image' | 'audio' | 'article' | 'game'
export type Category = 'hype' | 'swipe' | 'jump'
export type Refusal = 'empty' | 'heic' | 'svg' | 'film' | 'archive' | 'page' | 'other'

/** MIME types and file name endings by kind. One match is enough, because browsers do not know every MIME type. */
const KINDS: Record<Kind, { types: string[]; endings: string[] }> = {
  picture: {
    types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
    endings: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif'],
  },
  video: {
    types: ['video/mp4', 'video/webm', 'video/quicktime'],
    endings: ['mp4', 'm4v', 'webm', 'mov'],
  },
  sound: {
    types: ['audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/flac', 'audio/mp4', 'audio/webm'],
    endings: ['mp3', 'ogg', 'oga', 'opus', 'wav', 'flac', 'm4a'],
  },
  bundle: {
    types: ['application/zip', 'application/wasm', 'application/x-shockwave-flash'],
    endings: ['zip', 'wasm', 'swf'],
  },
}

const REFUSALS: [Refusal, RegExp][] = [
  ['heic', /^(heic|heif)$/],
  ['svg', /^svg$/],
  ['film', /^(mkv|avi|wmv|flv|mpg|mpeg|ts|3gp|ogv)$/],
  ['archive', /^(rar|7z|tar|gz|tgz|xz|bz2)$/],
  ['page', /^(html?|js|css)$/],
]

export function acceptOf(kinds: readonly Kind[] = ['picture', 'video', 'sound', 'bundle']): string {
  const found = kinds.flatMap((kind) => [
    ...KINDS[kind].types,
    ...KINDS[kind].endings.map((ending) => `.${ending}`),
  ])
  return found.join(',')
}

function endingOf(name: string): string {
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
}

/**
 * Guesses the kind of a file from its MIME type and name, or returns the reason for rejecting the file. The server
 * inspects the bytes.
 */
export function kindOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): Kind | Refusal {
  if (size === 0) return 'empty'
  const ending = endingOf(name)
  for (const [kind, { types, endings }] of Object.entries(KINDS)) {
    if (types.includes(type) || endings.includes(ending)) return kind as Kind
  }
  return REFUSALS.find(([, endings]) => endings.test(ending))?.[0] ?? 'other'
}

export function isKind(found: Kind | Refusal): found is Kind {
  return Object.hasOwn(KINDS, found)
}

export function typeOf(kinds: readonly Kind[], isWriting: boolean): ContentType | undefined {
  if (isWriting) return 'article'
  if (kinds.includes('bundle')) return 'game'
  const [first, ...others] = new Set(kinds)
  if (!first) return undefined
  // Only articles can contain files of several kinds.
  if (others.length > 0) return 'article'
  return ({ picture: 'image', video: 'video', sound: 'audio' } as const)[
    first as Exclude<Kind, 'bundle'>
  ]
}

const CATEGORIES: Record<ContentType, readonly Category[]> = {
  video: ['hype', 'swipe'],
  image: ['hype', 'swipe'],
  audio: ['hype'],
  article: ['hype'],
  game: ['jump'],
}

export function categoriesOf(type: ContentType): readonly Category[] {
  return CATEGORIES[type]
}

export function misfitsOf(kinds: readonly Kind[], type: ContentType): number[] {
  const isMisfit = (kind: Kind, index: number) => {
    if (type === 'game') {
      return kind === 'bundle' ? kinds.indexOf('bundle') !== index : kind !== 'picture'
    }
    return type === 'article' && kind === 'bundle'
  }
  return kinds.flatMap((kind, index) => (isMisfit(kind, index) ? [index] : []))
}
