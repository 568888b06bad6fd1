import { setTimeout as sleep } from 'node:timers/promises'
import type { Cast } from '../cast.ts'
import { type Act, interacting } from '../play.ts'
import type { Content, World } from '../world.ts'

const POLL_MS = 200

export function contentActs(cast: Cast, world: World): Act[] {
  const { contents, premieres, likes, bookmarks, visits, plays } = world
  const converted = new Map(premieres.map((content) => [content.media[0], content]))
  return [
    ...contents.flatMap((content) => making(cast, content, converted)),
    ...interacting(likes, async (user, { id }) => {
      await cast.as(user).contents.get(id)
      await cast.as(user).contents.like(id)
    }),
    ...interacting(bookmarks, (user, { id }) => cast.as(user).contents.bookmark(id)),
    ...interacting(plays, (user, { id }) => cast.as(user).games.play(id)),
    ...visits.map(({ target, time, browser }) => ({
      time,
      needs: [target],
      run: () => cast.anyone.contents.get(target.id, {}, { headers: { 'user-agent': browser } }),
    })),
  ]
}

/**
 * Returns the acts that create, publish and archive a content item. If `converted` has another item with the same
 * video, the acts wait until that item is converted.
 */
function making(cast: Cast, content: Content, converted: Map<Blob | undefined, Content>): Act[] {
  const { creator, created_at, published_at, archived_at } = content
  const first = converted.get(content.media[0])
  const isAtOnce = published_at === created_at
  const create = async () => {
    await upload(cast, content, isAtOnce)
    if (first === content) await waitForConversion(cast, content)
  }
  const needs = first && first !== content ? [creator, first] : [creator]
  const acts: Act[] = [{ time: created_at, needs, makes: content, run: create }]
  if (published_at !== null && !isAtOnce) {
    const run = () => cast.as(creator).contents.update(content.id, { status: 'published' })
    acts.push({ time: published_at, needs: [content], makes: content, run })
  }
  if (archived_at !== null && published_at !== null) {
    const run = () => cast.as(creator).contents.archive(content.id)
    acts.push({ time: archived_at, needs: [], isLast: true, run })
  }
  return acts
}

async function upload(cast: Cast, content: Content, publish: boolean): Promise<void> {
  const { creator, category, type, title, description, tags, game, text, media, thumbnail } =
    content
  const [thumbnail_upload_id, ...upload_ids] = await Promise.all([
    thumbnail ? cast.upload(creator, thumbnail) : null,
    ...media.map((file) => cast.upload(creator, file)),
  ])
  const created = await cast.as(creator).contents.create({
    category,
    type,
    title,
    description,
    tags,
    upload_ids,
    thumbnail_upload_id,
    publish,
    ...(text !== null && { body: text }),
    ...(game && { game: { ...game, entry: null } }),
  })
  content.id = created.content.id
}

async function waitForConversion(cast: Cast, { creator, id }: Content): Promise<void> {
  for (;;) {
    const { conversion } = await cast.as(creator).contents.getConversion(id)
    if (conversion.status === 'completed') return
    if (conversion.error !== null) throw new Error(`a video was not converted: ${conversion.error}`)
    await sleep(POLL_MS)
  }
}
