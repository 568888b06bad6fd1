import type { Migration } from './words.ts'

const isHidden = (row: 'new' | 'old') =>
  `(case when ${row}.hidden_by = 'creator' then 1 else 0 end)`

/**
 * Lets creators choose who may comment on their content, pin a comment and hide comments, and lets users like
 * comments.
 */
export const commentTools: Migration = {
  name: 'comment tools',
  up: ({ int, key, clustered }) => [
    // A new comment locks the row of `content_stats`, and therefore reads the latest values of these columns.
    `alter table content_stats add column comment_policy ${key} not null default 'everyone'
      check (comment_policy in ('everyone', 'followers', 'closed'))`,
    `alter table content_stats add column pinned_comment_id ${key}`,
    `alter table content_stats add column is_pin_hidden ${int} not null default 0
      check (is_pin_hidden in (0, 1))`,
    `alter table content_stats add column hidden_comment_count ${int} not null default 0
      check (hidden_comment_count >= 0)`,
    `alter table comments add column like_count ${int} not null default 0 check (like_count >= 0)`,
    `alter table comments add column is_hidden_by_creator ${int} not null default 0
      check (is_hidden_by_creator in (0, 1))`,
    `create table comment_likes (
      comment_id ${key} not null references comments (id),
      user_id ${key} not null references users (id),
      created_at ${int} not null,
      primary key (comment_id, user_id)
    ) ${clustered}`,
    `create index comment_likes_by_user on comment_likes (user_id, comment_id)`,
    `create index comments_liked on comments (content_id, like_count desc, id) where is_listed = 1`,
    `create index comments_liked_top on comments (content_id, like_count desc, id, parent_id)
      where is_listed = 1 and parent_id is null`,
    `create index comments_liked_replies on comments (parent_id, like_count desc, id)
      where is_listed = 1 and parent_id is not null`,
    `create index comments_hidden on comments (content_id, id) where hidden_by = 'creator'`,
    `create index comments_hidden_by_author on comments (author_id) where is_hidden_by_creator = 1`,
  ],
  triggers: ({ trigger }) => [
    ...trigger({
      name: 'comment_like_added',
      after: 'insert on comment_likes',
      run: `update comments set like_count = like_count + 1 where id = new.comment_id`,
    }),
    ...trigger({
      name: 'comment_like_removed',
      after: 'delete on comment_likes',
      run: `update comments set like_count = like_count - 1 where id = old.comment_id`,
    }),
    ...trigger({
      name: 'comment_hidden',
      after: 'update of is_deleted, hidden_by on comments',
      when: `new.is_deleted <> old.is_deleted or new.hidden_by is distinct from old.hidden_by`,
      run: `update content_stats set
        hidden_comment_count = hidden_comment_count + ${isHidden('new')} - ${isHidden('old')},
        is_pin_hidden = case when pinned_comment_id = new.id then new.is_deleted else is_pin_hidden end
        where content_id = new.content_id`,
    }),
  ],
}
