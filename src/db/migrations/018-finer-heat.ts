import type { Migration } from './words.ts'

/** Frozen copy of the formula in contents/rank.ts. Later changes there must not change this migration. */
const heatOf = (row: string) => `cast(floor(${row}.hot_score * 8) as bigint)`

/**
 * Changes `heat` from half steps to eighths. A deep page of a tag sorts all content items with the same heat. With
 * half steps, these were hundreds.
 */
export const finerHeat: Migration = {
  name: 'finer heat',
  up: ({ trigger, dropTrigger }) => [
    dropTrigger('content_tags_heat', 'content_stats'),
    `update content_tags set heat = (select ${heatOf('stats')} from content_stats as stats
      where stats.content_id = content_tags.content_id)`,
    ...trigger({
      name: 'content_tags_heat',
      after: 'update of hot_score on content_stats',
      when: `${heatOf('new')} <> ${heatOf('old')}`,
      run: `update content_tags set heat = ${heatOf('new')} where content_id = new.content_id`,
    }),
  ],
}
