import { type Static, Type } from 'typebox'
import type { Category, ContentType } from '../db/tables.ts'
import { COMMENT_POLICIES } from '../db/tree-tables.ts'
import { WARNINGS } from '../db/visibility-tables.ts'
import type { Problem } from '../errors.ts'
import { checked, choice, textOrNull, timeOrNull } from '../http/fields.ts'
import { checkTime } from '../http/times.ts'
import {
  CATEGORIES,
  CONTENT_TYPES,
  Controls,
  EmbeddingName,
  type GameInfo,
  ORIENTATIONS,
  RatingName,
  TAG_MAX,
  VisibilityName,
} from './schema.ts'

const TITLE_MAX = 120
const DESCRIPTION_MAX = 5000
const BODY_MAX = 100_000
export const TAGS_MAX = 10
const UPLOADS_MAX = 20
const ENTRY_MAX = 500
const WARNING_TEXT_MAX = 200

/** Types of content that each category allows (docs/api.md, Content). */
const TYPES: Record<Category, readonly ContentType[]> = {
  hype: ['video', 'image', 'audio', 'article'],
  swipe: ['video', 'image'],
  jump: ['game'],
}

const TAKES = Object.entries(TYPES)
  .map(([category, types]) => `\`${category}\` allows ${types.join(', ')}`)
  .join('; ')

const Title = Type.String({ minLength: 1, maxLength: TITLE_MAX })
const Description = textOrNull({ maxLength: DESCRIPTION_MAX })
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: TAG_MAX }), {
  maxItems: TAGS_MAX,
  description: 'Tags, compared case-insensitively and without duplicates',
})
const Body = textOrNull({
  maxLength: BODY_MAX,
  description: 'Text of an article. Other types accept only null',
})
const ThumbnailUploadId = textOrNull({
  description: 'One of your images. Null or missing: an image made from the content is shown',
})
const UploadIds = Type.Array(Type.String({ minLength: 1 }), {
  maxItems: UPLOADS_MAX,
  description:
    'Your uploads, without duplicates. Video, image and audio content items take their own kind, articles all three, games one bundle and images',
})

const CommentPolicyInput = choice(COMMENT_POLICIES, {
  description: 'Who may comment: everyone, you and your followers, or none',
})

const GameInput = Type.Unsafe<Partial<Omit<GameInfo, 'runtime'>> | null>({
  type: ['object', 'null'],
  description: 'Games only. The bundle decides the runtime',
  properties: {
    entry: {
      type: ['string', 'null'],
      maxLength: ENTRY_MAX,
      description: 'HTML5 only: the page of the bundle that starts the game',
    },
    orientation: { type: ['string', 'null'], enum: ORIENTATIONS },
    controls: Controls,
  },
})

const access = {
  visibility: Type.Optional(VisibilityName),
  publish_at: Type.Optional(
    timeOrNull({
      description:
        'Time at which the server publishes the draft, from one second to one year ahead. On creation it implies `publish: false`',
    }),
  ),
  rating: Type.Optional(RatingName),
  warnings: Type.Optional(
    Type.Array(choice(WARNINGS), {
      maxItems: WARNINGS.length,
      description: 'Duplicates are dropped',
    }),
  ),
  warning_text: Type.Optional(textOrNull({ maxLength: WARNING_TEXT_MAX })),
  embedding: Type.Optional(EmbeddingName),
}

export const CreateContent = checked(
  Type.Object(
    {
      category: choice(CATEGORIES, { description: TAKES }),
      type: choice(CONTENT_TYPES, { description: TAKES }),
      title: Title,
      description: Type.Optional(Description),
      tags: Type.Optional(Tags),
      upload_ids: Type.Optional(UploadIds),
      thumbnail_upload_id: Type.Optional(ThumbnailUploadId),
      body: Type.Optional(Body),
      game: Type.Optional(GameInput),
      comment_policy: Type.Optional(CommentPolicyInput),
      publish: Type.Optional(Type.Boolean({ description: 'False stores it as a draft' })),
      ...access,
    },
    {
      examples: [
        {
          category: 'hype',
          type: 'video',
          title: '한강의 새벽, one take',
          description: 'Shot from the Mapo bridge between five and six.',
          tags: ['seoul', 'timelapse'],
        },
      ],
    },
  ),
  checkNewContent,
)
export type CreateContentInput = Static<typeof CreateContent>

export const UpdateContent = checked(
  Type.Object(
    {
      title: Type.Optional(Title),
      description: Type.Optional(Description),
      tags: Type.Optional(Tags),
      thumbnail_upload_id: Type.Optional(ThumbnailUploadId),
      body: Type.Optional(Body),
      comment_policy: Type.Optional(CommentPolicyInput),
      status: Type.Optional(choice(['published'], { description: 'Publishes a draft' })),
      ...access,
    },
    { examples: [{ title: '한강의 새벽, one take', tags: ['seoul', 'timelapse'] }] },
  ),
  ({ publish_at, status }, problems) => checkSchedule(publish_at, status !== undefined, problems),
)
export type UpdateContentInput = Static<typeof UpdateContent>

function checkSchedule(time: unknown, publishesNow: boolean, problems: Problem[]): void {
  checkTime('publish_at', time, problems)
  if (publishesNow && typeof time === 'string') {
    problems.push({ field: 'publish_at', key: 'invalid.scheduled_publish' })
  }
}

interface Unchecked {
  category: Category
  type: ContentType
  publish?: unknown
  publish_at?: unknown
  body?: unknown
  game?: unknown
}

function checkNewContent(body: Unchecked, problems: Problem[]): void {
  const { category, type, game } = body
  checkSchedule(body.publish_at, body.publish === true, problems)
  const known = typeof category === 'string' && Object.hasOwn(TYPES, category)
  const types = known ? TYPES[category] : undefined
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
}
