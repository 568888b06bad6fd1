import type { Migration } from './words.ts'

/**
 * Adds the list of smaller versions of a thumbnail. For existing content, jobs make the sizes of thumbnails and
 * pictures after the migration (`thumbnails/sizes.ts`).
 */
export const contentSizes: Migration = {
  name: 'content sizes',
  up: ({ text }) => [
    `alter table contents add column thumbnail_sizes ${text}`,
    `create index contents_without_sizes on contents (id)
      where thumbnail_url is not null and thumbnail_sizes is null and status <> 'archived'`,
  ],
}
