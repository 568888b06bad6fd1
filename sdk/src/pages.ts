import type { Input, ListRoute } from './route.ts'

interface Page {
  pagination?: { has_next: boolean }
  next_cursor?: string | null
  has_more?: boolean
  [field: string]: unknown
}

/**
 * A list of the API. `await` returns the requested page. `for await` iterates over the entries from that page to
 * the last, and requests each further page when it is needed.
 */
export interface List<Data, Item> extends Promise<Data>, AsyncIterable<Item> {
  /** Iterates over whole pages instead of entries. */
  pages(): AsyncGenerator<Data>
}

/** Requests the page that `input` selects, and returns it as a list. `get` requests a page. */
export function listOf(
  route: ListRoute,
  input: Input,
  get: (input: Input) => Promise<unknown>,
): List<unknown, unknown> {
  const first = get(input)
  const pages = () => pagesOf(route, input, (next) => (next === input ? first : get(next)))
  return Object.assign(first, {
    pages,
    [Symbol.asyncIterator]: () => entriesOf(route, pages()),
  })
}

/** Yields the pages of a list, from the page that `input` selects to the last. */
async function* pagesOf(
  route: ListRoute,
  input: Input,
  get: (input: Input) => Promise<unknown>,
): AsyncGenerator<Page> {
  let next: Input | undefined = input
  while (next) {
    const page = (await get(next)) as Page
    yield page
    next = following(route, next, page)
  }
}

/**
 * Yields the entries of a list in its order.
 *
 * New entries can push older ones to the next page. Those are skipped when they appear again.
 */
async function* entriesOf(route: ListRoute, pages: AsyncIterable<Page>): AsyncGenerator {
  const seen = new Set<unknown>()
  for await (const page of pages) {
    const found = entries(route, page)
    for (const entry of route.isReversed ? found.toReversed() : found) {
      if (entry.id === undefined || !seen.has(entry.id)) yield entry
      seen.add(entry.id)
    }
  }
}

function entries({ field }: ListRoute, page: Page): { id?: unknown }[] {
  return (page[field] ?? []) as { id?: unknown }[]
}

function following(route: ListRoute, input: Input, page: Page): Input | undefined {
  switch (route.by) {
    case 'page':
      return page.pagination?.has_next
        ? { ...input, page: Number(input['page'] ?? 1) + 1 }
        : undefined
    case 'cursor':
      return page.next_cursor ? { ...input, before: page.next_cursor } : undefined
    case 'offset':
      return page.has_more
        ? { ...input, offset: Number(input['offset'] ?? 0) + entries(route, page).length }
        : undefined
    default:
      return undefined
  }
}
