import type { Migration } from './words.ts'

export const thumbnails: Migration = {
  name: 'thumbnails',
  up: () => [`create index files_by_thumbnail on files (thumbnail_path)`],
}
