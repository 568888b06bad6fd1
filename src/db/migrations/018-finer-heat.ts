import type { Migration } from './words.ts'

/** `HEATS` of contents/rank.ts as it was when this was written: a migration is never edited. */
const heatOf = (row: string) => `cast(floor(${row}.hot_score * 8) as bigint)`

/**
 * Heat in eighths of a score: a deep page of a tag puts all works in order that are as hot as its own, and
 * of halves there were hundreds.
 */
export const finerHeat: Migration = {
  name: 'finer heat',
  up: ({ afterChange, dropTrigger }) => [
    dropTrigger('content_tags_heat', 'content_stats'),
    `update content_tags set heat = (select ${heatOf('stats')} from content_stats as stats
      where stats.content_id = content_tags.content_id)`,
    ...afterChange({
      name: 'content_tags_heat',
      of: { table: 'content_stats', column: 'hot_score' },
      when: `${heatOf('new')} <> ${heatOf('old')}`,
      run: `update content_tags set heat = ${heatOf('new')} where content_id = new.content_id`,
    }),
  ],
}
