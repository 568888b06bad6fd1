import { actOf } from '../audit/rules.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { followTag, getTag, listTags, setTagHidden, unfollowTag } from './rules.ts'
import { HiddenTag, OneTag, TagFollow, Tags, TagsQuery } from './schema.ts'

const ofTag = { tag: 'Tags', params: { tag: { text: true } } } as const
const example = { tag: 'seoul', content_count: 12, is_following: false }

export function registerTags(api: Api<CoreDeps>): void {
  api.get('/tags', {
    id: 'listTags',
    summary: 'List the tags of public content',
    tag: 'Tags',
    auth: 'optional',
    query: TagsQuery,
    data: Tags,
    indexes: ['tags_popular', 'tags_by_name', 'content_tags_recent'],
    example: { tags: [example], pagination: examplePagination },
    handler: ({ db, viewer, query, now, deps: { clock } }) =>
      listTags(db, viewer, query, { now, monotonic: clock.monotonic() }),
  })
  api.get('/tags/:tag', {
    ...ofTag,
    id: 'getTag',
    summary: 'Get a tag, also one that no content has',
    auth: 'optional',
    errors: ['VALIDATION_ERROR'],
    data: OneTag,
    example: { tag: example },
    handler: ({ db, viewer, params }) => getTag(db, viewer, params.tag),
  })
  api.put('/tags/:tag/follow', {
    ...ofTag,
    id: 'followTag',
    summary: 'Follow a tag; does nothing when already following',
    description: 'At most 500 tags.',
    auth: 'user',
    errors: ['LIMIT_REACHED', 'VALIDATION_ERROR'],
    data: TagFollow,
    example: { is_following: true },
    handler: ({ db, viewer, params, now }) => followTag(db, viewer, params.tag, now),
  })
  api.delete('/tags/:tag/follow', {
    ...ofTag,
    id: 'unfollowTag',
    summary: 'Stop following a tag, if following',
    auth: 'user',
    errors: ['VALIDATION_ERROR'],
    data: TagFollow,
    example: { is_following: false },
    handler: ({ db, viewer, params }) => unfollowTag(db, viewer, params.tag),
  })

  for (const [method, id, isHidden, summary] of [
    ['put', 'hideTag', 1, 'Hide a tag from lists, search and suggestions of tags'],
    ['delete', 'unhideTag', 0, 'Show a hidden tag again'],
  ] as const) {
    api[method]('/admin/tags/:tag/hidden', {
      ...ofTag,
      id,
      summary,
      description: 'The page of the tag and its contents stay.',
      auth: 'moderate',
      errors: ['VALIDATION_ERROR'],
      data: HiddenTag,
      example: { tag: 'seoul', is_hidden: isHidden === 1 },
      handler: ({ db, viewer, params, now, requestId }) =>
        setTagHidden(db, actOf(viewer, requestId), params.tag, isHidden, now),
    })
  }
}
