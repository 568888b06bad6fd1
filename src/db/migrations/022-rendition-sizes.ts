import type { Migration } from './words.ts'

/** Media records describe the rendition that they link. */
export const renditionSizes: Migration = {
  name: 'rendition-sizes',
  up: ({ int }) => [`alter table renditions add column size_bytes ${int} check (size_bytes > 0)`],
}
