/** Structured data of pages (JSON-LD in the vocabulary of schema.org), for search engines. */
import type { ContentDetailRecord } from '../contents/schema.ts'
import type { toCreator } from '../creators/schema.ts'
import { startOf } from '../http/markup.ts'
import type { toPost } from '../posts/schema.ts'
import type { toUserRef } from '../users/schema.ts'

/** Longest headline that search engines accept, in code points. */
const HEADLINE_MAX = 110

type Author = ReturnType<typeof toUserRef>

const absolute = (base: string, path: string | null) => (path === null ? undefined : base + path)

function personOf(base: string, { handle, display_name, avatar_url }: Author) {
  return {
    '@type': 'Person',
    name: display_name,
    alternateName: handle,
    url: `${base}/creators/${handle}`,
    image: absolute(base, avatar_url),
  }
}

function counter(action: string, count: number) {
  return {
    '@type': 'InteractionCounter',
    interactionType: `https://schema.org/${action}`,
    userInteractionCount: count,
  }
}

const KINDS = {
  video: { type: 'VideoObject', action: 'WatchAction' },
  image: { type: 'ImageObject', action: 'ViewAction' },
  audio: { type: 'AudioObject', action: 'ListenAction' },
  article: { type: 'Article', action: 'ReadAction' },
  game: { type: 'VideoGame', action: 'PlayGameAction' },
} as const

function durationOf(ms: number | null | undefined): string | undefined {
  return ms == null ? undefined : `PT${Math.round(ms / 1000)}S`
}

/**
 * Returns the structured data of a content item. `picture` must be null for adult content, whose files are
 * omitted.
 */
export function contentData(base: string, content: ContentDetailRecord, picture: string | null) {
  const { type, title, description, creator, tags, media, published_at, updated_at } = content
  const url = `${base}/contents/${content.id}`
  const kind = KINDS[type]
  const isAdult = content.rating === 'adult'
  const [file] = isAdult ? [] : media
  const count = type === 'game' ? content.play_count : content.view_count
  return {
    '@type': kind.type,
    name: title,
    description: description ?? title,
    url,
    author: personOf(base, creator),
    datePublished: published_at ?? undefined,
    dateModified: updated_at,
    keywords: tags.length > 0 ? tags : undefined,
    isFamilyFriendly: isAdult ? false : undefined,
    interactionStatistic: [
      counter(kind.action, count),
      counter('LikeAction', content.like_count),
      counter('CommentAction', content.comment_count),
    ],
    ...(type === 'article' && {
      headline: startOf(title, HEADLINE_MAX),
      mainEntityOfPage: url,
      image: absolute(base, picture),
    }),
    ...(type === 'game' && {
      image: absolute(base, picture),
      applicationCategory: 'Game',
      gamePlatform: 'Web browser',
      operatingSystem: 'Any',
    }),
    ...((type === 'video' || type === 'image' || type === 'audio') && {
      contentUrl: absolute(base, file?.url ?? null),
      encodingFormat: file?.mime_type,
      thumbnailUrl: absolute(base, picture),
      uploadDate: published_at ?? undefined,
      duration: durationOf(type === 'image' ? null : file?.duration_ms),
      embedUrl:
        type === 'video' && content.embedding === 'everywhere'
          ? `${base}/embed/${content.id}`
          : undefined,
    }),
    // Search engines require the creator or the credit before they show an attribution with a picture.
    ...(type === 'image' && { creator: personOf(base, creator), creditText: creator.display_name }),
  }
}

export function profileData(base: string, creator: ReturnType<typeof toCreator>) {
  return {
    '@type': 'ProfilePage',
    dateCreated: creator.created_at,
    mainEntity: {
      ...personOf(base, creator),
      description: creator.bio ?? undefined,
      interactionStatistic: counter('FollowAction', creator.follower_count),
      agentInteractionStatistic: counter('WriteAction', creator.content_count),
    },
  }
}

type Post = ReturnType<typeof toPost>

export function postData(base: string, post: Post, replies: readonly Post[]) {
  const { id, author, body, created_at, like_count, reply_count } = post
  return {
    '@type': 'DiscussionForumPosting',
    url: `${base}/posts/${id}`,
    headline: startOf(body, HEADLINE_MAX),
    text: body,
    author: author && personOf(base, author),
    datePublished: created_at,
    interactionStatistic: [
      counter('LikeAction', like_count),
      counter('CommentAction', reply_count),
    ],
    comment: replies.flatMap((reply) =>
      reply.author === null
        ? []
        : {
            '@type': 'Comment',
            text: reply.body,
            author: personOf(base, reply.author),
            datePublished: reply.created_at,
          },
    ),
  }
}

export function siteData(
  base: string,
  { name, description }: { name: string; description: string },
) {
  return {
    '@type': 'WebSite',
    name,
    description,
    url: `${base}/`,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${base}/search?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  }
}
