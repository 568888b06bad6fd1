import type { Migration } from './words.ts'

export const likers: Migration = {
  name: 'likers',
  up: () => [`create index likes_by_content on likes (content_id, created_at, user_id)`],
}
