import { queryOptions } from '@tanstack/react-query'
import { plaza } from './plaza.ts'

/** Name, registration mode and rules of the site. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: async ({ signal }) => (await plaza.site.get({}, { signal })).site,
})
