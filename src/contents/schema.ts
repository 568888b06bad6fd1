import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import { toUserRef, UserRef, type UserRefRow } from '../users/schema.ts'
import type { Flag } from '../db/flag.ts'
import type { ContentSizes } from '../db/media-tables.ts'
import { type ContentModeration, RATINGS } from '../db/moderation-tables.ts'
import type { ContentRow, ContentStatsRow } from '../db/tables.ts'
import { COMMENT_POLICIES, type CommentSettings } from '../db/tree-tables.ts'
import { type ContentAccess, EMBEDDINGS, VISIBILITIES } from '../db/visibility-tables.ts'
import { choice, integerOrNull, textOrNull, time, timeOrNull } from '../http/fields.ts'
import { inLanguage, type LocalText } from '../http/local-text.ts'
import { Pagination } from '../http/page.ts'
import type { Language } from '../messages/language.ts'
import { PictureSizes, sizesOf, type StoredSize, toSizes } from '../pictures/schema.ts'

export const CATEGORIES = ['hype', 'swipe', 'jump'] as const
export const CONTENT_TYPES = ['video', 'image', 'audio', 'article', 'game'] as const
export const CategoryName = choice(CATEGORIES)
const TypeName = choice(CONTENT_TYPES)
export const RatingName = choice(RATINGS)
export const VisibilityName = choice(VISIBILITIES, {
  description:
    '`unlisted`: open to everyone with the address, in no list. `followers`: open to followers, listed only in their feed `following`',
})
export const EmbeddingName = choice(EMBEDDINGS, {
  description: 'Whether pages of other sites may contain it',
})
export const STATUSES = ['draft', 'processing', 'published', 'archived'] as const
export const ORIENTATIONS = ['landscape', 'portrait', 'any', null] as const

const Media = Type.Object(
  {
    upload_id: Type.String(),
    url: textOrNull({
      description:
        'Best rendition of converted video or audio, without metadata; otherwise the uploaded file. Null while a moderator blocks the file',
    }),
    original_url: textOrNull({
      description:
        'The uploaded file; null for viewers other than the author, and while a moderator blocks it',
    }),
    mime_type: Type.String({
      description: 'MIME type of the file at `url`. The sizes also describe that file',
    }),
    width: integerOrNull(),
    height: integerOrNull(),
    duration_ms: integerOrNull(),
    size_bytes: Type.Integer(),
    sizes: PictureSizes,
  },
  { title: 'Media' },
)
export type MediaRecord = Static<typeof Media>

export interface GameInfo {
  runtime: 'html5' | 'wasm' | 'swf' | null
  entry: string | null
  orientation: (typeof ORIENTATIONS)[number]
  controls: string | string[] | null
}

const CONTROLS_MAX = 20
const CONTROL_MAX = 100

export const Controls = {
  type: ['string', 'array', 'null'],
  description: 'How the game is controlled',
  maxLength: CONTROLS_MAX * CONTROL_MAX,
  maxItems: CONTROLS_MAX,
  items: { type: 'string', maxLength: CONTROL_MAX },
}

const GameInfoOrNull = Type.Unsafe<GameInfo | null>({
  title: 'GameInfo',
  description: 'Null for all types except game',
  type: ['object', 'null'],
  required: ['runtime', 'entry', 'orientation', 'controls'],
  properties: {
    runtime: {
      type: ['string', 'null'],
      enum: ['html5', 'wasm', 'swf', null],
      description: 'Runtime that the bundle needs; null without a bundle',
    },
    entry: { type: ['string', 'null'], description: 'Page of the bundle that starts the game' },
    orientation: { type: ['string', 'null'], enum: ORIENTATIONS },
    // Uses `anyOf`, because with a list of types the serialiser would turn arrays into strings.
    controls: {
      description: Controls.description,
      anyOf: [
        { type: 'string', maxLength: Controls.maxLength },
        { type: 'array', maxItems: Controls.maxItems, items: Controls.items },
        { type: 'null' },
      ],
    },
  },
})

const Moderation = Type.Union(
  [
    Type.Object(
      {
        state: choice(['hidden']),
        decision_id: Type.String(),
        reason: Type.String(),
        rule: Type.Union([
          Type.Object({ id: Type.String(), text: Type.String() }, { title: 'RuleRef' }),
          Type.Null(),
        ]),
      },
      { title: 'Moderation' },
    ),
    Type.Null(),
  ],
  { description: 'The decision that hides it; null for viewers other than the author' },
)

export const Content = Type.Object(
  {
    id: Type.String(),
    category: CategoryName,
    type: TypeName,
    title: Type.String(),
    description: textOrNull(),
    tags: Type.Array(Type.String()),
    status: choice(STATUSES),
    visibility: VisibilityName,
    publish_at: timeOrNull({
      description: 'Time at which the draft is published; null without one',
    }),
    rating: RatingName,
    rating_locked: Type.Boolean({
      description: 'True while a decision sets the lowest rating that the author may choose',
    }),
    warnings: Type.Array(Type.String()),
    warning_text: textOrNull(),
    embedding: EmbeddingName,
    moderation: Moderation,
    comment_policy: choice(COMMENT_POLICIES),
    pinned_comment_id: textOrNull(),
    creator: UserRef,
    media: Type.Array(Media),
    thumbnail_url: textOrNull(),
    thumbnail_sizes: PictureSizes,
    game: GameInfoOrNull,
    like_count: Type.Integer(),
    bookmark_count: Type.Integer(),
    comment_count: Type.Integer(),
    view_count: Type.Integer(),
    play_count: Type.Integer(),
    is_liked: Type.Boolean(),
    is_bookmarked: Type.Boolean(),
    published_at: timeOrNull({
      description: 'Time of the publication, or when it became public; null before',
    }),
    created_at: time(),
    updated_at: time(),
  },
  { title: 'Content' },
)
export type ContentRecord = Static<typeof Content>

const ContentDetail = Type.Object(
  {
    ...Content.properties,
    body: textOrNull({ description: 'Text of an article; null for other types' }),
  },
  { title: 'ContentDetail' },
)
export type ContentDetailRecord = Static<typeof ContentDetail>

export const ContentResult = Type.Object({ content: ContentDetail })

export const Feed = Type.Object(
  { feeds: Type.Array(Content), pagination: Pagination },
  { title: 'Feed' },
)

const Conversion = Type.Object(
  {
    status: choice(['not_required', 'queued', 'processing', 'completed', 'failed'], {
      description:
        '`not_required`: nothing is converted, play `media`. `completed`: play `renditions`. `failed`: a file could not be converted, and a content item that was `processing` is a draft again',
    }),
    progress: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Mean over all files; 1 when nothing is converted',
    }),
    renditions: Type.Array(
      Type.Object({
        url: Type.String(),
        mime_type: Type.String(),
        width: integerOrNull(),
        height: integerOrNull(),
      }),
      { description: 'Renditions of the converted files' },
    ),
    error: textOrNull({
      description: 'Reason for the failure, in the language of the request; null otherwise',
    }),
    updated_at: timeOrNull({
      description: 'Creation time of the content when nothing is converted',
    }),
  },
  { title: 'Conversion' },
)
export type ConversionRecord = Static<typeof Conversion>

export const ConversionResult = Type.Object({ conversion: Conversion })

/** Maximum length of a tag in code points. */
export const TAG_MAX = 50

/** Returns a key for comparing tags. Tags that differ only in case or Unicode normal form have the same key. */
export function tagKey(tag: string): string {
  return tag.toLowerCase().normalize('NFC')
}

/** Returns the tags without duplicates, in the first spelling of each. */
export function uniqueTags(tags: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const tag of tags) if (!first.has(tagKey(tag))) first.set(tagKey(tag), tag)
  return [...first.values()]
}

/** The decision that hides a content item, as shown to the item's author. */
export interface HiddenState {
  decision_id: string
  reason: string
  rule: { id: string; text: LocalText } | null
}

export interface ContentRecordRow
  extends ContentRow,
    ContentModeration,
    ContentAccess,
    ContentSizes,
    Pick<
      ContentStatsRow,
      'is_public' | 'like_count' | 'bookmark_count' | 'comment_count' | 'view_count' | 'play_count'
    >,
    Pick<CommentSettings, 'comment_policy' | 'pinned_comment_id'>,
    Omit<UserRefRow, 'id'> {
  is_liked: Flag | boolean
  is_bookmarked: Flag | boolean
  /**
   * Hashes of blocked files, separated by spaces. The record leaves out the URLs of these files. Null when none is
   * blocked.
   */
  blocked_files: string | null
  /** 1 when lists hide the content from the viewer. Undefined in lists that show all content. */
  is_filtered?: Flag
}

/** An entry of the column `media`, as stored. */
export type StoredMedia = Omit<MediaRecord, 'url' | 'original_url' | 'sizes'> & {
  url: string
  /** URL of the uploaded file. Missing in rows from earlier versions, where `url` is the URL of the uploaded file. */
  original_url?: string
  /** Smaller versions of a picture. Missing when there are none. */
  sizes?: readonly StoredSize[]
  /** Folder of the smaller versions. Missing when there are none. */
  folder?: string
}

/**
 * Returns the URL, or null when `blocked` contains the hash of its file. The URL of a rendition contains the hash of
 * its original, so blocking the original blocks the rendition too.
 */
export function unlessBlocked<T extends string | null>(url: T, blocked: string | null): T | null {
  return url !== null && blocked?.includes(url.slice(9, 73)) ? null : url
}

function toMediaOf(row: ContentRecordRow, viewerId: string | null): MediaRecord[] {
  const isAuthor = viewerId === row.creator_id
  return (JSON.parse(row.media) as StoredMedia[]).map(
    ({ upload_id, url, original_url, folder, sizes, ...facts }) => {
      const shown = unlessBlocked(url, row.blocked_files)
      return {
        upload_id,
        url: shown,
        original_url: isAuthor ? unlessBlocked(original_url ?? url, row.blocked_files) : null,
        ...facts,
        sizes: sizes && shown !== null ? toSizes(`/uploads/${folder}`, sizes) : [],
      }
    },
  )
}

function toModeration(stored: string, language: Language): ContentRecord['moderation'] {
  const { rule, ...state }: HiddenState = JSON.parse(stored)
  return {
    state: 'hidden',
    ...state,
    rule: rule && { id: rule.id, text: inLanguage(rule.text, language).text },
  }
}

/**
 * Returns the record for a viewer. `language` selects the text of the rule in `moderation`, which only the
 * author sees.
 */
export function toContent(
  row: ContentRecordRow,
  viewerId: string | null,
  language: Language = 'ko',
): ContentRecord {
  const thumbnail_url = unlessBlocked(row.thumbnail_url, row.blocked_files)
  return {
    id: row.id,
    category: row.category,
    type: row.type,
    title: row.title,
    description: row.description,
    tags: JSON.parse(row.tags),
    status: row.status,
    visibility: row.visibility,
    publish_at: isoOrNull(row.publish_at),
    rating: row.rating,
    rating_locked: row.decided_rating !== null,
    warnings: JSON.parse(row.warnings),
    warning_text: row.warning_text,
    embedding: row.embedding,
    moderation:
      row.moderation === null || viewerId !== row.creator_id
        ? null
        : toModeration(row.moderation, language),
    comment_policy: row.comment_policy,
    pinned_comment_id: row.pinned_comment_id,
    creator: toUserRef({ ...row, id: row.creator_id }),
    media: toMediaOf(row, viewerId),
    thumbnail_url,
    thumbnail_sizes: sizesOf(thumbnail_url, row.thumbnail_sizes),
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
