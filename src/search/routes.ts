import { exampleContent } from '../contents/example.ts'
import { exampleUser } from '../users/example.ts'
import type { Api } from '../http/route.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { ownerOf, type SearchLimit } from './limit.ts'
import { listSearchResults, listSuggestions } from './rules.ts'
import { SearchQuery, searchPagination, SearchResult, Suggestions, SuggestQuery } from './schema.ts'

export interface SearchDeps extends CoreDeps {
  searches: SearchLimit
}

export function registerSearch(api: Api<SearchDeps>): void {
  api.get('/search', {
    id: 'listSearchResults',
    summary: 'Search contents, creators, tags or posts',
    tag: 'Search',
    auth: 'optional',
    query: SearchQuery,
    data: SearchResult,
    errors: ['SERVICE_UNAVAILABLE'],
    example: {
      feeds: [exampleContent],
      pagination: searchPagination({ page: 1, per_page: 20 }, 1),
    },
    handler: (call) =>
      call.deps.searches.run(ownerOf(call.viewer, call), () =>
        listSearchResults(call.db, call.viewer, call.query),
      ),
  })

  api.get('/search/suggest', {
    id: 'listSuggestions',
    summary: 'Suggest users and tags that begin with a text',
    tag: 'Search',
    auth: 'public',
    query: SuggestQuery,
    data: Suggestions,
    errors: ['SERVICE_UNAVAILABLE'],
    cache: 30,
    example: { users: [exampleUser], tags: [{ tag: 'seoul', content_count: 12 }] },
    handler: (call) =>
      call.deps.searches.run(ownerOf(null, call), () => listSuggestions(call.db, call.query.q)),
  })
}
