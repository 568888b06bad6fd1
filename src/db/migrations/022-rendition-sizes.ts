import type { Migration } from './words.ts'

/** Stores the size of each rendition, so that media records can describe the rendition they link. */
export const renditionSizes: Migration = {
  name: 'rendition-sizes',
  up: ({ int }) => [`alter table renditions add column size_bytes ${int} check (size_bytes > 0)`],
}
