/** Example program that uses the published package. test/package.test.ts compiles it but does not run it. */
import {
  type Content,
  createPlaza,
  type InputOf,
  isPlazaError,
  type Plaza,
  type WebhookEvent,
} from 'plaza-sdk'

const plaza: Plaza = createPlaza({ url: 'https://plaza.example.com', language: 'ko' })

export async function uses(file: File, event: WebhookEvent): Promise<string> {
  const { feeds, pagination } = await plaza.listFeeds({ sort: 'popular', page: 2 })
  const titles = feeds.map(titleOf)
  for await (const message of plaza.each('listMessages', { id: 'cnv_x' })) message.body.trim()
  for await (const { content_count } of gathered()) content_count.toFixed()
  for await (const page of plaza.pages('listFeed')) page.next_cursor?.trim()
  const gone: void = await plaza.archiveContent({ id: 'cnt_x' })
  const { id } = await plaza.upload(file, { onProgress: ({ sent, total }) => sent / total })
  const input: InputOf<'createContent'> = { category: 'hype', type: 'image', title: 'x' }
  await plaza.createContent({ ...input, upload_ids: [id] }, { idempotencyKey: 'k' })
  if (event.type === 'jump.play') return event.data.play.runtime
  // Later servers may send values that are not listed, but input must be one of the listed values.
  const later: Content['category'] = 'podcast'
  return `${pagination.total}${titles.join()}${String(gone)}${later}${mistakes.length}`
}

function titleOf(content: Content): string {
  return content.title
}

async function* gathered() {
  yield (await plaza.getCreator({ handle: 'mina' })).creator
}

export function decide(error: unknown): number | null {
  if (isPlazaError(error, 'RATE_LIMITED')) return error.retryAfter
  return isPlazaError(error, 'NETWORK') ? error.status : null
}

/** Each of these lines must be a type error. */
const mistakes = [
  // @ts-expect-error: no such operation
  () => plaza.likeEverything(),
  // @ts-expect-error: id is required
  () => plaza.toggleLike(),
  // @ts-expect-error: id must be a string
  () => plaza.toggleLike({ id: 5 }),
  // @ts-expect-error: no such sort order
  () => plaza.listFeeds({ sort: 'best' }),
  // @ts-expect-error: no such field
  () => plaza.listFeeds({ pages: 2 }),
  // @ts-expect-error: not an accepted category
  () => plaza.createContent({ category: 'podcast', type: 'audio', title: 'x' }),
  // @ts-expect-error: toggleLike does not return a list
  () => plaza.each('toggleLike', { id: 'x' }),
  // @ts-expect-error: listApps takes no input, so React Query's context is rejected
  () => plaza.listApps({ queryKey: ['apps'] }),
  // @ts-expect-error: no such code
  () => isPlazaError(new Error(), 'NOT_A_CODE'),
]
