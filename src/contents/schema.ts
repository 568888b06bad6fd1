import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import { toUserRef, UserRef } from '../creators/schema.ts'
import type {
  Category,
  ContentRow,
  ContentStatsRow,
  ContentStatus,
  ContentType,
  Flag,
  UserRow,
} from '../db/tables.ts'
import type { Problem } from '../errors.ts'

export const TITLE_MAX = 120
export const DESCRIPTION_MAX = 5000
export const BODY_MAX = 100_000
export const TAGS_MAX = 10
export const TAG_MAX = 50
export const UPLOADS_MAX = 20
const ENTRY_MAX = 500
const CONTROLS_MAX = 20
const CONTROL_MAX = 100

/** Which types a category holds (contract, section 3, Content). */
const TYPES: Record<Category, readonly ContentType[]> = {
  hype: ['video', 'image', 'audio', 'article'],
  swipe: ['video', 'image'],
  jump: ['game'],
}

const choice = <const T extends string>(...choices: T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: choices })
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })

const Time = Type.String({ format: 'date-time' })
const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })

const CategoryName = choice('hype', 'swipe', 'jump')
const TypeName = choice('video', 'image', 'audio', 'article', 'game')
const StatusName = choice('draft', 'processing', 'published', 'archived')
const ORIENTATIONS = ['landscape', 'portrait', 'any', null] as const

const Media = Type.Object(
  {
    upload_id: Type.String(),
    url: Type.String(),
    mime_type: Type.String(),
    width: NullableInteger,
    height: NullableInteger,
    duration_ms: NullableInteger,
    size_bytes: Type.Integer(),
  },
  { title: 'Media' },
)

/** What a game is made of; `runtime` is null until it has a bundle, which decides it. */
export interface GameInfo {
  runtime: 'html5' | 'wasm' | 'swf' | null
  entry: string | null
  orientation: (typeof ORIENTATIONS)[number]
  controls: string | string[] | null
}

const GameInfoOrNull = Type.Unsafe<GameInfo | null>({
  title: 'GameInfo',
  description: 'Null unless the work is a game',
  type: ['object', 'null'],
  required: ['runtime', 'entry', 'orientation', 'controls'],
  properties: {
    runtime: {
      type: ['string', 'null'],
      enum: ['html5', 'wasm', 'swf', null],
      description: 'Decided by the bundle; null without one',
    },
    entry: { type: ['string', 'null'], description: 'Page of the bundle that starts the game' },
    orientation: { type: ['string', 'null'], enum: ORIENTATIONS },
    controls: { description: 'How the game is played: a text, a list of texts, or null' },
  },
})

/** A work as lists show it. */
export const Content = Type.Object(
  {
    id: Type.String(),
    category: CategoryName,
    type: TypeName,
    title: Type.String(),
    description: NullableText,
    tags: Type.Array(Type.String()),
    status: StatusName,
    creator: UserRef,
    media: Type.Array(Media),
    thumbnail_url: NullableText,
    game: GameInfoOrNull,
    like_count: Type.Integer(),
    bookmark_count: Type.Integer(),
    comment_count: Type.Integer(),
    view_count: Type.Integer(),
    play_count: Type.Integer(),
    is_liked: Type.Boolean(),
    is_bookmarked: Type.Boolean(),
    published_at: TimeOrNull,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Content' },
)
export type ContentRecord = Static<typeof Content>

/** A work by itself: adds the text of an article. */
export const ContentDetail = Type.Object(
  {
    ...Content.properties,
    body: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Text of an article; null for other types',
    }),
  },
  { title: 'ContentDetail' },
)
export type ContentDetailRecord = Static<typeof ContentDetail>

export const ContentResult = Type.Object({ content: ContentDetail })

export const RecommendationsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Entries a page' }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'Entries to pass over',
  }),
})

export const Recommendations = Type.Object({
  feeds: Type.Array(Content),
  has_more: Type.Boolean(),
})

export const Conversion = Type.Object(
  {
    status: choice('not_required', 'queued', 'processing', 'completed', 'failed'),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    renditions: Type.Array(
      Type.Object({
        url: Type.String(),
        mime_type: Type.String(),
        width: NullableInteger,
        height: NullableInteger,
      }),
    ),
    error: NullableText,
    updated_at: TimeOrNull,
  },
  { title: 'Conversion' },
)

export const ConversionResult = Type.Object({ conversion: Conversion })

const Title = Type.String({ minLength: 1, maxLength: TITLE_MAX })
const Description = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: DESCRIPTION_MAX,
})
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: TAG_MAX }), {
  maxItems: TAGS_MAX,
  description: 'Compared without regard to case; repeated ones are kept once',
})
const Body = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: BODY_MAX,
  description: 'Text of an article',
})
const ThumbnailUploadId = NullableText

const GameInput = Type.Unsafe<Partial<Omit<GameInfo, 'runtime'>> | null>({
  type: ['object', 'null'],
  description: 'Games only; the bundle decides the runtime',
  properties: {
    entry: { type: ['string', 'null'], maxLength: ENTRY_MAX },
    orientation: { type: ['string', 'null'], enum: ORIENTATIONS },
    controls: {
      type: ['string', 'array', 'null'],
      maxLength: CONTROLS_MAX * CONTROL_MAX,
      maxItems: CONTROLS_MAX,
      items: { type: 'string', maxLength: CONTROL_MAX },
    },
  },
})

export const CreateContent = Type.Object({
  category: CategoryName,
  type: TypeName,
  title: Title,
  description: Type.Optional(Description),
  tags: Type.Optional(Tags),
  upload_ids: Type.Optional(Type.Array(Type.String(), { maxItems: UPLOADS_MAX })),
  thumbnail_upload_id: Type.Optional(ThumbnailUploadId),
  body: Type.Optional(Body),
  game: Type.Optional(GameInput),
  publish: Type.Optional(Type.Boolean({ description: 'False keeps it as a draft' })),
})
export type CreateContentInput = Static<typeof CreateContent>

export const UpdateContent = Type.Object({
  title: Type.Optional(Title),
  description: Type.Optional(Description),
  tags: Type.Optional(Tags),
  thumbnail_upload_id: Type.Optional(ThumbnailUploadId),
  body: Type.Optional(Body),
  status: Type.Optional(
    Type.Unsafe<'published'>({
      type: 'string',
      enum: ['published'],
      description: 'Publishes a draft',
    }),
  ),
})
export type UpdateContentInput = Static<typeof UpdateContent>

/** Adds what the schema of a new work cannot say: what belongs to which type, and that uploads exist. */
export function checkNewContent(body: CreateContentInput, problems: Problem[]): void {
  const { category, type, game } = body
  const types = Object.hasOwn(TYPES, category) ? TYPES[category] : undefined
  const isType = Object.values(TYPES).some((list) => list.includes(type))
  if (types && isType && !types.includes(type)) {
    problems.push({ field: 'type', key: 'invalid.type_for_category' })
  }
  if (type !== 'article' && typeof body.body === 'string') {
    problems.push({ field: 'body', key: 'invalid.only_articles' })
  }
  if (type !== 'game' && typeof game === 'object' && game !== null) {
    problems.push({ field: 'game', key: 'invalid.only_games' })
  }
  if (Array.isArray(body.upload_ids)) {
    for (const [at, id] of body.upload_ids.entries()) {
      if (typeof id === 'string')
        problems.push({ field: `upload_ids.${at}`, key: 'invalid.upload' })
    }
  }
  checkThumbnail(body, problems)
}

/** There are no uploads to name. */
export function checkThumbnail(
  { thumbnail_upload_id: id }: { thumbnail_upload_id?: string | null },
  problems: Problem[],
): void {
  if (typeof id === 'string') problems.push({ field: 'thumbnail_upload_id', key: 'invalid.upload' })
}

/** What a tag is compared and looked up by. */
export function tagKey(tag: string): string {
  return tag.toLowerCase().normalize('NFC')
}

/** Tags as they are kept: the first spelling of each. */
export function uniqueTags(tags: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const tag of tags) if (!first.has(tagKey(tag))) first.set(tagKey(tag), tag)
  return [...first.values()]
}

/** A work as `load.ts` reads it. */
export interface ContentRecordRow
  extends ContentRow,
    Pick<
      ContentStatsRow,
      'is_public' | 'like_count' | 'bookmark_count' | 'comment_count' | 'view_count' | 'play_count'
    >,
    Pick<UserRow, 'handle' | 'display_name' | 'avatar_url'> {
  status: ContentStatus
  is_liked: Flag | boolean
  is_bookmarked: Flag | boolean
}

export function toContent(row: ContentRecordRow): ContentRecord {
  return {
    id: row.id,
    category: row.category,
    type: row.type,
    title: row.title,
    description: row.description,
    tags: JSON.parse(row.tags),
    status: row.status,
    creator: toUserRef({ ...row, id: row.creator_id }),
    media: [],
    thumbnail_url: row.thumbnail_url,
    game: row.game === null ? null : JSON.parse(row.game),
    like_count: row.like_count,
    bookmark_count: row.bookmark_count,
    comment_count: row.comment_count,
    view_count: row.view_count,
    play_count: row.play_count,
    is_liked: Boolean(row.is_liked),
    is_bookmarked: Boolean(row.is_bookmarked),
    published_at: isoOrNull(row.published_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
