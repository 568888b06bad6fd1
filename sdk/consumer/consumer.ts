/** A program that uses the package as it is published; compiled, not run, by test/package.test.ts. */
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
  // A later server may know more of what it sends, but takes nothing that is not listed.
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

/** Each of these must not compile. */
const mistakes = [
  // @ts-expect-error: there is no such operation
  () => plaza.likeEverything(),
  // @ts-expect-error: an id is needed
  () => plaza.toggleLike(),
  // @ts-expect-error: an id is a text
  () => plaza.toggleLike({ id: 5 }),
  // @ts-expect-error: there is no such order
  () => plaza.listFeeds({ sort: 'best' }),
  // @ts-expect-error: there is no such field
  () => plaza.listFeeds({ pages: 2 }),
  // @ts-expect-error: no such category is taken
  () => plaza.createContent({ category: 'podcast', type: 'audio', title: 'x' }),
  // @ts-expect-error: this is no list
  () => plaza.each('toggleLike', { id: 'x' }),
  // @ts-expect-error: this takes nothing, so it is no query function of its own
  () => plaza.listApps({ queryKey: ['apps'] }),
  // @ts-expect-error: there is no such code
  () => isPlazaError(new Error(), 'NOT_A_CODE'),
]
