import type { Static } from 'typebox'
import { exampleContent } from '../contents/example.ts'
import type { Feed } from './schema.ts'

/** A page of works for the reference. */
export const exampleFeed: Static<typeof Feed> = {
  feeds: [exampleContent],
  pagination: { page: 1, per_page: 20, total: 1, total_pages: 1, has_next: false, has_prev: false },
}
