import type { Static } from 'typebox'
import { exampleContent } from '../contents/example.ts'
import { examplePagination } from '../http/page.ts'
import type { Feed } from './schema.ts'

/** A page of works for the reference. */
export const exampleFeed: Static<typeof Feed> = {
  feeds: [exampleContent],
  pagination: examplePagination,
}
