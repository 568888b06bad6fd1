import type { Comment, DataOf } from '#sdk'

export interface Linked {
  /** Top-level comment of the thread. It may be the linked comment itself. */
  root: Comment
  /** Ids from the top-level comment down to the linked comment. */
  path: string[]
}

type ReadPage = (page: number) => Promise<DataOf<'listComments'>>

/**
 * Returns the thread of a comment and the path to the comment, or null for a missing comment. `read` returns a page of
 * all comments, oldest first. Ids sort by time, so a binary search finds the page.
 */
export async function findLinked(id: string, read: ReadPage): Promise<Linked | null> {
  const pages = new Map<number, ReturnType<ReadPage>>()
  const readOnce = (page: number) => {
    const asked = pages.get(page) ?? read(page)
    pages.set(page, asked)
    return asked
  }
  const comment = await findComment(id, readOnce)
  if (!comment) return null
  const path = [comment]
  for (let [root] = path; root?.parent_id; [root] = path) {
    const parent = await findComment(root.parent_id, readOnce)
    if (!parent) return null
    path.unshift(parent)
  }
  return { root: path[0] as Comment, path: path.map((entry) => entry.id) }
}

export async function findComment(id: string, read: ReadPage): Promise<Comment | undefined> {
  let low = 1
  let high = Math.max(1, (await read(1)).pagination.total_pages)
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const { comments } = await read(middle)
    const [first, last] = [comments[0], comments.at(-1)]
    if (!first || !last || id < first.id) high = middle - 1
    else if (id > last.id) low = middle + 1
    else return comments.find((comment) => comment.id === id)
  }
  return undefined
}
