import type { Migration } from './words.ts'

/** `HEATS` of contents/rank.ts as it was when this was written: a migration is never edited. */
const heatOf = (row: string) => `cast(floor(${row}.hot_score * 2) as bigint)`

/**
 * The popular works of a tag from an index of its own. An exact score there would be rewritten with
 * each like; its halves seldom change, and a trigger follows them, so that no statement that changes a
 * score can forget to. Who adds a tag says its heat.
 */
export const tagHeat: Migration = {
  name: 'tag heat',
  up: ({ int, afterChange }) => [
    `alter table content_tags add column heat ${int} not null default 0`,
    `update content_tags set heat = (select ${heatOf('stats')} from content_stats as stats
      where stats.content_id = content_tags.content_id)`,
    `create index content_tags_hot on content_tags (tag, heat, content_id)`,
    `create index content_tags_hot_in on content_tags (tag, category, heat, content_id)`,
    ...afterChange({
      name: 'content_tags_heat',
      of: { table: 'content_stats', column: 'hot_score' },
      when: `${heatOf('new')} <> ${heatOf('old')}`,
      run: `update content_tags set heat = ${heatOf('new')} where content_id = new.content_id`,
    }),
  ],
}
