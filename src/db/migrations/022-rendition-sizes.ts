import type { Migration } from './words.ts'

/** Stores the size of each rendition, so that media records can state the size of the linked file. */
export const renditionSizes: Migration = {
  name: 'rendition-sizes',
  up: ({ int }) => [`alter table renditions add column size_bytes ${int} check (size_bytes > 0)`],
}
