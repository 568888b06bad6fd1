import type { Migration } from './words.ts'

const SHOWN = 'where content_count > 0 and is_hidden = 0'

/**
 * Adds the number of public contents of each tag in all categories, so that an index can sort tags by this number.
 * Also adds tags that moderators hide, and tags that users follow.
 */
export const tags: Migration = {
  name: 'tags',
  up: ({ int, key, clustered }) => [
    `create table tags (
      tag ${key} primary key,
      content_count ${int} not null default 0 check (content_count >= 0),
      is_hidden ${int} not null default 0 check (is_hidden in (0, 1))
    ) ${clustered}`,
    `insert into tags (tag, content_count) select tag, sum(total) from tag_totals group by tag`,
    `create index tags_popular on tags (content_count desc, tag) ${SHOWN}`,
    `create index tags_by_name on tags (tag, content_count) ${SHOWN}`,
    `create index content_tags_recent on content_tags (published_at, tag, content_id)`,

    `create table tag_follows (
      user_id ${key} not null references users (id),
      tag ${key} not null,
      created_at ${int} not null,
      primary key (user_id, tag)
    ) ${clustered}`,
  ],
  triggers: ({ trigger }) => [
    ...trigger({
      name: 'tag_total_added',
      after: 'insert on tag_totals',
      run: `insert into tags (tag, content_count) values (new.tag, new.total)
        on conflict (tag) do update set content_count = tags.content_count + new.total`,
    }),
    ...trigger({
      name: 'tag_total_changed',
      after: 'update of total on tag_totals',
      when: 'new.total <> old.total',
      run: `update tags set content_count = content_count + new.total - old.total
        where tag = new.tag`,
    }),
  ],
}
