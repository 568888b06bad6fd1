/** The API's rules for files and contents, and the values of their forms. */
import type { ContentDetail, InputOf } from '#sdk'
import { lengthOf } from '../language/length.ts'

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

export const TITLE_MAX = 120
export const DESCRIPTION_MAX = 5000
export const BODY_MAX = 100_000
export const TAGS_MAX = 10
const TAG_MAX = 50
export const FILES_MAX = 20
const CONTROLS_MAX = 20
const CONTROL_MAX = 100

export interface ContentValues {
  title: string
  description: string
  tags: readonly string[]
  body: string
  /** Chosen category. Undefined while the files determine it. */
  category: Category | undefined
  orientation: 'any' | 'landscape' | 'portrait'
  /** Controls of a game, one per line. */
  controls: string
  entry: string
  visibility: 'public' | 'unlisted' | 'followers'
  rating: 'everyone' | 'teen' | 'adult'
  warnings: readonly string[]
  warning_text: string
  comment_policy: 'everyone' | 'followers' | 'closed'
  embedding: 'everywhere' | 'nowhere'
  /** Local publication time of a draft in the format of `datetime-local` fields. Empty for none. */
  publish_at: string
}

export const EMPTY: ContentValues = {
  title: '',
  description: '',
  tags: [],
  body: '',
  category: undefined,
  orientation: 'any',
  controls: '',
  entry: '',
  visibility: 'public',
  rating: 'everyone',
  warnings: [],
  warning_text: '',
  comment_policy: 'everyone',
  embedding: 'everywhere',
  publish_at: '',
}

const AUDIENCE = ['visibility', 'rating', 'comment_policy', 'embedding'] as const

type Warning = NonNullable<InputOf<'createContent'>['warnings']>[number]

type Mistake =
  | 'titleMissing'
  | 'titleLong'
  | 'descriptionLong'
  | 'bodyLong'
  | 'tooManyControls'
  | 'controlLong'
export type Mistakes = Partial<Record<'title' | 'description' | 'body' | 'controls', Mistake>>

function controlsOf({ controls }: Pick<ContentValues, 'controls'>): string[] {
  return controls
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

export function mistakesIn(content: ContentValues): Mistakes {
  const title = lengthOf(content.title)
  const controls = controlsOf(content)
  const mistakes: Mistakes = {}
  if (title === 0) mistakes.title = 'titleMissing'
  else if (title > TITLE_MAX) mistakes.title = 'titleLong'
  if (lengthOf(content.description) > DESCRIPTION_MAX) mistakes.description = 'descriptionLong'
  if (lengthOf(content.body) > BODY_MAX) mistakes.body = 'bodyLong'
  if (controls.length > CONTROLS_MAX) mistakes.controls = 'tooManyControls'
  else if (controls.some((line) => lengthOf(line) > CONTROL_MAX)) mistakes.controls = 'controlLong'
  return mistakes
}

interface Made {
  type: ContentType
  category: Category
  uploadIds: readonly string[]
  thumbnailId: string | null
  publish: boolean
}

export function inputOf(content: ContentValues, made: Made): InputOf<'createContent'> {
  const { type, category, publish } = made
  const { body, publish_at, ...fields } = fieldsOf(content)
  return {
    type,
    category,
    ...fields,
    upload_ids: [...made.uploadIds],
    thumbnail_upload_id: made.thumbnailId,
    ...(type === 'article' && { body }),
    ...(type === 'game' && {
      game: {
        entry: content.entry.trim() || null,
        orientation: content.orientation,
        controls: content.controls.trim() ? controlsOf(content) : null,
      },
    }),
    publish_at: publish ? null : publish_at,
    publish,
  }
}

/** Returns the values that both `POST` and `PATCH` accept, in the API's format. */
function fieldsOf(content: ContentValues) {
  const { title, description, tags, body, visibility, rating, comment_policy, embedding } = content
  return {
    title,
    description: description.trim() ? description : null,
    tags: [...tags],
    body: body.trim() ? body : null,
    visibility,
    rating,
    warnings: [...content.warnings] as Warning[],
    warning_text: content.warning_text.trim() || null,
    comment_policy,
    embedding,
    publish_at: timeOf(content.publish_at),
  }
}

/** Returns the ISO time of a local time. Null for an empty or invalid one. */
function timeOf(local: string): string | null {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** Returns the local time of an ISO time in the format of `datetime-local` fields. Empty for null. */
export function localTimeOf(iso: string | null): string {
  if (iso === null) return ''
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function contentOf(content: ContentDetail): ContentValues {
  const { title, description, tags, body, warnings, warning_text, publish_at } = content
  const audience = Object.fromEntries(AUDIENCE.map((name) => [name, content[name]]))
  return {
    ...EMPTY,
    ...audience,
    title,
    description: description ?? '',
    tags,
    body: body ?? '',
    warnings,
    warning_text: warning_text ?? '',
    publish_at: localTimeOf(publish_at),
  }
}

export function changesOf(
  before: ContentValues,
  after: ContentValues,
): Omit<InputOf<'updateContent'>, 'status' | 'thumbnail_upload_id'> {
  const changed = differenceOf(before, after)
  return Object.fromEntries(Object.entries(fieldsOf(after)).filter(([name]) => name in changed))
}

export function differenceOf(before: ContentValues, after: ContentValues): Partial<ContentValues> {
  const fields = Object.entries(after) as [
    keyof ContentValues,
    ContentValues[keyof ContentValues],
  ][]
  return Object.fromEntries(fields.filter(([name, value]) => !isSame(before[name], value)))
}

export function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}

/** Returns the values that the server saved, except for fields that the user has changed since the request. */
export function afterSave(
  now: ContentValues,
  sent: ContentValues,
  saved: ContentValues,
): ContentValues {
  const changed = Object.entries(now).filter(
    ([name, value]) => sent[name as keyof ContentValues] !== value,
  )
  return { ...saved, ...Object.fromEntries(changed) }
}

export function titleFrom(name: string): string {
  const bare = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  return [...bare].slice(0, TITLE_MAX).join('')
}

export function withTags(tags: readonly string[], typed: string): readonly string[] {
  const known = new Set(tags.map(keyOf))
  const added: string[] = []
  for (const part of typed.split(',')) {
    const tag = [...part.trim().replace(/^#+/, '').trim().normalize('NFC')]
      .slice(0, TAG_MAX)
      .join('')
    if (!tag || known.has(keyOf(tag)) || tags.length + added.length >= TAGS_MAX) continue
    known.add(keyOf(tag))
    added.push(tag)
  }
  return added.length > 0 ? [...tags, ...added] : tags
}

function keyOf(tag: string): string {
  return tag.toLowerCase().normalize('NFC')
}
