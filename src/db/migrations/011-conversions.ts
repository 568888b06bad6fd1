import type { Migration } from './words.ts'

export const conversions: Migration = {
  name: 'conversions',
  up: ({ text }) => [
    `alter table files add column audio_codec ${text}`,
    `create index contents_processing on contents (id) where status = 'processing'`,
  ],
}
