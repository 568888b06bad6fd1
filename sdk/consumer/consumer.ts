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
  const { feeds, pagination } = await plaza.feeds.list({ sort: 'popular', page: 2 })
  const titles = feeds.map(titleOf)
  for await (const message of plaza.conversations.listMessages('cnv_x')) message.body.trim()
  for await (const { content_count } of gathered()) content_count.toFixed()
  for await (const page of plaza.posts.list().pages()) page.next_cursor?.trim()
  const gone: void = await plaza.contents.archive('cnt_x')
  const { id } = await plaza.upload(file, { onProgress: ({ sent, total }) => sent / total })
  const input: InputOf<'createContent'> = { category: 'hype', type: 'image', title: 'x' }
  await plaza.contents.create({ ...input, upload_ids: [id] }, { idempotencyKey: 'k' })
  if (event.type === 'jump.play') return event.data.play.runtime
  // Enumerations in responses accept unknown values, because later servers may add values. Those in inputs do not.
  const later: Content['category'] = 'podcast'
  return `${pagination.total}${titles.join()}${String(gone)}${later}${mistakes.length}`
}

function titleOf(content: Content): string {
  return content.title
}

async function* gathered() {
  yield (await plaza.creators.get('mina')).creator
}

export function decide(error: unknown): number | null {
  if (isPlazaError(error, 'RATE_LIMITED')) return error.retryAfter
  return isPlazaError(error, 'NETWORK') ? error.status : null
}

/** Calls that the type checker must reject. */
const mistakes = [
  // @ts-expect-error: no such operation
  () => plaza.contents.likeEverything(),
  // @ts-expect-error: no such group
  () => plaza.everything.like(),
  // @ts-expect-error: id is required
  () => plaza.contents.toggleLike(),
  // @ts-expect-error: id must be a string
  () => plaza.contents.toggleLike(5),
  // @ts-expect-error: no such sort order
  () => plaza.feeds.list({ sort: 'best' }),
  // @ts-expect-error: no such field
  () => plaza.feeds.list({ pages: 2 }),
  // @ts-expect-error: not an accepted category
  () => plaza.contents.create({ category: 'podcast', type: 'audio', title: 'x' }),
  // @ts-expect-error: toggleLike does not return a list
  () => plaza.contents.toggleLike('x').pages(),
  // @ts-expect-error: options are the third argument, although toggleLike has no input fields yet
  () => plaza.contents.toggleLike('x', { timeoutMs: 5 }),
  // @ts-expect-error: apps.list has no input fields, so it cannot be passed to React Query as a query function
  () => plaza.apps.list({ queryKey: ['apps'] }),
  // @ts-expect-error: no such code
  () => isPlazaError(new Error(), 'NOT_A_CODE'),
]
