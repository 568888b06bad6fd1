import type { Input, ListRoute } from './route.ts'

interface Page {
  pagination?: { has_next: boolean }
  next_cursor?: string | null
  has_more?: boolean
  [field: string]: unknown
}

/**
 * List that an API call returns. `await` returns the requested page. `for await` iterates over the entries of this and
 * all following pages.
 */
export interface List<Data, Item> extends Promise<Data>, AsyncIterable<Item> {
  /** Iterates over whole pages instead of entries. */
  pages(): AsyncGenerator<Data>
}

/** Returns a list that starts at the page selected by `input`. `get` requests one page. */
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
 * Yields the entries of all pages. Skips entries that appear again because new entries pushed them to the next
 * page.
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
