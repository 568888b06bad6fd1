import type { Migration } from './words.ts'

/** Frozen copy of the formula in contents/rank.ts. Later changes of that formula must not change this migration. */
const heatOf = (row: string) => `cast(floor(${row}.hot_score * 2) as bigint)`

/**
 * Adds indexes for a tag's popular content. They contain the score in half steps (`heat`), because the exact score
 * changes with every like. A trigger updates `heat` after each change of a score.
 */
export const tagHeat: Migration = {
  name: 'tag heat',
  up: ({ int, trigger }) => [
    `alter table content_tags add column heat ${int} not null default 0`,
    `update content_tags set heat = (select ${heatOf('stats')} from content_stats as stats
      where stats.content_id = content_tags.content_id)`,
    `create index content_tags_hot on content_tags (tag, heat, content_id)`,
    `create index content_tags_hot_in on content_tags (tag, category, heat, content_id)`,
    ...trigger({
      name: 'content_tags_heat',
      after: 'update of hot_score on content_stats',
      when: `${heatOf('new')} <> ${heatOf('old')}`,
      run: `update content_tags set heat = ${heatOf('new')} where content_id = new.content_id`,
    }),
  ],
}
