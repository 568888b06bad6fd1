import type { Static } from 'typebox'
import { exampleContent } from '../contents/example.ts'
import { examplePagination } from '../http/page.ts'
import type { Feed } from './schema.ts'

export const exampleFeed: Static<typeof Feed> = {
  feeds: [exampleContent],
  pagination: examplePagination,
}
