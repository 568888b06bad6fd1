import type { Input, Route } from './route.ts'

interface Page {
  pagination?: { has_next: boolean }
  next_cursor?: string | null
  has_more?: boolean
  [field: string]: unknown
}

/** Yields the pages of a list, from the page that `input` selects to the last. */
export async function* pagesOf(
  route: Route,
  input: Input,
  ask: (input: Input) => Promise<unknown>,
): AsyncGenerator<Page> {
  if (!route.list) throw new TypeError('This operation does not return a list.')
  let next: Input | undefined = input
  while (next) {
    const page = (await ask(next)) as Page
    yield page
    next = following(route, next, page)
  }
}

/**
 * Yields the entries of a list in its order, from where `input` begins to the last.
 *
 * New entries can push older ones to the next page. Those are skipped when they appear again.
 */
export async function* entriesOf(
  route: Route,
  input: Input,
  ask: (input: Input) => Promise<unknown>,
): AsyncGenerator {
  const seen = new Set<unknown>()
  for await (const page of pagesOf(route, input, ask)) {
    const found = entries(route, page)
    for (const entry of route.list?.isReversed ? found.toReversed() : found) {
      if (entry.id === undefined || !seen.has(entry.id)) yield entry
      seen.add(entry.id)
    }
  }
}

function entries({ list }: Route, page: Page): { id?: unknown }[] {
  return (page[list?.field ?? ''] ?? []) as { id?: unknown }[]
}

function following(route: Route, input: Input, page: Page): Input | undefined {
  switch (route.list?.by) {
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
