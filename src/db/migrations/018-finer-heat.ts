import type { Migration } from './words.ts'

/** `heatOf` of contents/rank.ts as it was at this migration. Migrations are never edited. */
const heatOf = (row: string) => `cast(floor(${row}.hot_score * 8) as bigint)`

/**
 * Stores heat in steps of an eighth. A deep page of a tag sorts all contents with the same heat, and
 * with half steps there were hundreds.
 */
export const finerHeat: Migration = {
  name: 'finer heat',
  up: ({ afterChange, dropTrigger }) => [
    dropTrigger('content_tags_heat', 'content_stats'),
    `update content_tags set heat = (select ${heatOf('stats')} from content_stats as stats
      where stats.content_id = content_tags.content_id)`,
    ...afterChange({
      name: 'content_tags_heat',
      target: { table: 'content_stats', column: 'hot_score' },
      when: `${heatOf('new')} <> ${heatOf('old')}`,
      run: `update content_tags set heat = ${heatOf('new')} where content_id = new.content_id`,
    }),
  ],
}
