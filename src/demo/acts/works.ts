/** Acts on contents: creating, publishing and archiving them, and views, likes and plays. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cast } from '../cast.ts'
import type { Act } from '../play.ts'
import type { Work, World } from '../world.ts'

const POLL_MS = 200

export function workActs(cast: Cast, world: World): Act[] {
  const { works, premieres, likes, bookmarks, visits, plays } = world
  const converted = new Map(premieres.map((work) => [work.media[0], work]))
  return [
    ...works.flatMap((work) => making(cast, work, converted)),
    ...likes.map(({ work, person, at }) => ({
      at,
      needs: [work, person],
      run: async () => {
        await cast.as(person).readContent({ id: work.id })
        await cast.as(person).setLike({ id: work.id })
      },
    })),
    ...bookmarks.map(({ work, person, at }) => ({
      at,
      needs: [work, person],
      run: () => cast.as(person).setBookmark({ id: work.id }),
    })),
    ...visits.map(({ work, at, browser }) => ({
      at,
      needs: [work],
      run: () => cast.anyone.readContent({ id: work.id }, { headers: { 'user-agent': browser } }),
    })),
    ...plays.map(({ work, person, at }) => ({
      at,
      needs: [work, person],
      run: () => cast.as(person).playGame({ id: work.id }),
    })),
  ]
}

/**
 * Returns the acts of a creator on one content. Others with the same video wait until the first is converted.
 */
function making(cast: Cast, work: Work, converted: Map<Blob | undefined, Work>): Act[] {
  const { creator, at, published_at, archived_at } = work
  const first = converted.get(work.media[0])
  const isFirst = first === work
  const isAtOnce = published_at === at
  const acts: Act[] = [
    {
      at,
      needs: first && !isFirst ? [creator, first] : [creator],
      makes: work,
      run: async () => {
        await create(cast, work, isAtOnce)
        if (isFirst) await waitForConversion(cast, work)
      },
    },
  ]
  if (published_at !== null && !isAtOnce) {
    const run = () => cast.as(creator).updateContent({ id: work.id, status: 'published' })
    acts.push({ at: published_at, needs: [work], makes: work, run })
  }
  if (archived_at !== null && published_at !== null) {
    const run = () => cast.as(creator).archiveContent({ id: work.id })
    acts.push({ at: archived_at, needs: [], isLast: true, run })
  }
  return acts
}

async function create(cast: Cast, work: Work, publish: boolean): Promise<void> {
  const { creator, category, type, title, description, tags, game, text, media, thumbnail } = work
  const [upload_ids, thumbnail_upload_id] = await Promise.all([
    cast.uploadAll(creator, media),
    thumbnail ? cast.upload(creator, thumbnail) : null,
  ])
  const { content } = await cast.as(creator).createContent({
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
  work.id = content.id
}

/** Waits for the conversion of a video, which depends on real time. */
async function waitForConversion(cast: Cast, { creator, id }: Work): Promise<void> {
  for (;;) {
    const { conversion } = await cast.as(creator).readConversion({ id })
    if (conversion.status === 'completed') return
    if (conversion.error !== null) throw new Error(`a video was not converted: ${conversion.error}`)
    await sleep(POLL_MS)
  }
}
