/** The SQL of the hand-written handlers, as somebody would write it who serves these routes and nothing else. */

/** The parameter $2 is the viewer; `ids` gives content ids and what they are ordered by. */
function works(ids: string, order: string): string {
  return `
    select c.id, c.category, c.type, c.title, c.description, c.tags, c.status, c.thumbnail_url,
      c.game, c.published_at, c.created_at, c.updated_at, s.like_count, s.bookmark_count,
      s.comment_count, s.view_count, s.play_count,
      u.id as creator_id, u.handle, u.display_name, u.avatar_url,
      exists (select 1 from likes l where l.content_id = c.id and l.user_id = $2) as is_liked,
      exists (select 1 from bookmarks b where b.content_id = c.id and b.user_id = $2) as is_bookmarked
    from (${ids}) page
    join contents c on c.id = page.content_id
    join content_stats s on s.content_id = c.id
    join users u on u.id = c.creator_id
    order by ${order}`
}

/** The order of the popular: contents/rank.ts. */
const hotScore = (likes: string, comments: string) =>
  `coalesce(published_at, 0) / 45000000.0 + ln(cast(1 + ${likes} + 2 * bookmark_count + 2 * (${comments}) + play_count / 10.0 as double precision))`

export const SQL = {
  viewer: `
    select u.id, u.handle, u.display_name, u.avatar_url
    from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.access_hash = $2 and s.access_expires_at > $3 and u.is_suspended = 0`,

  keyHolder: `
    select u.id, u.handle, u.display_name, u.avatar_url, k.scopes, a.scopes as app_scopes
    from api_keys k join apps a on a.id = k.app_id join users u on u.id = k.owner_id
    where k.key_hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)
      and u.is_suspended = 0`,

  unread: 'select unread from notification_counts where user_id = $1',

  commentTotal:
    'select listed_comment_count from content_stats where content_id = $1 and is_public = 1',
  comments: `
    select c.id, c.content_id, c.parent_id, c.root_id, c.author_id, c.body, c.is_deleted,
      c.reply_count, c.created_at, c.updated_at, u.handle, u.display_name, u.avatar_url
    from comments c join users u on u.id = c.author_id
    where c.content_id = $1 and c.is_listed = 1
    order by c.id limit $2`,

  likedTotal: `
    select count(*) as total from likes l join content_stats s on s.content_id = l.content_id
    where l.user_id = $1 and s.is_public = 1`,
  liked: works(
    `select l.content_id, l.created_at from likes l
     join content_stats s on s.content_id = l.content_id
     where l.user_id = $2 and s.is_public = 1
     order by l.created_at desc, l.content_id desc limit $1`,
    'page.created_at desc, page.content_id desc',
  ),

  homeTotal: 'select sum(total) as total from category_totals',
  home: works(
    `select content_id, published_at from content_stats where is_public = 1
     order by published_at desc, content_id desc limit $1`,
    'page.published_at desc, page.content_id desc',
  ),

  followingTotal: `
    select sum(n.content_count) as total from follows f
    join user_counts n on n.user_id = f.creator_id where f.follower_id = $1`,
  following: works(
    `select s.content_id, s.published_at from follows f
     join content_stats s on s.creator_id = f.creator_id and s.is_public = 1
     where f.follower_id = $2
     order by s.published_at desc, s.content_id desc limit $1`,
    'page.published_at desc, page.content_id desc',
  ),

  work: `
    select s.creator_id, s.like_count, c.title
    from content_stats s join contents c on c.id = s.content_id
    where s.content_id = $1 and s.is_public = 1`,
  like: `
    insert into likes (content_id, user_id, created_at) values ($1, $2, $3)
    on conflict (content_id, user_id) do nothing`,
  unlike: 'delete from likes where content_id = $1 and user_id = $2',
  addLike: `
    update content_stats set like_count = like_count + $2,
      hot_score = ${hotScore('like_count + $2', 'comment_count')}
    where content_id = $1`,
  addComment: `
    update content_stats set comment_count = comment_count + 1,
      listed_comment_count = listed_comment_count + 1, top_comment_count = top_comment_count + 1,
      last_comment_id = $2, hot_score = ${hotScore('like_count', 'comment_count + 1')}
    where content_id = $1`,
  comment: `
    insert into comments (id, content_id, parent_id, root_id, author_id, body, is_deleted,
      is_listed, reply_count, listed_reply_count, created_at, updated_at)
    values ($1, $2, null, null, $3, $4, 0, 1, 0, 0, $5, $5)`,

  content: `
    insert into contents (id, creator_id, category, type, title, description, tags, status, media,
      thumbnail_url, thumbnail_upload_id, game, published_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, 'published', '[]', null, null, null, $8, $8, $8)`,
  contentStats: `
    insert into content_stats (content_id, creator_id, category, is_public, published_at, like_count,
      bookmark_count, comment_count, listed_comment_count, top_comment_count, view_count, play_count,
      hot_score)
    values ($1, $2, $3, 1, $4, 0, 0, 0, 0, 0, 0, 0, cast($4 as bigint) / 45000000.0)`,
  contentTag: 'insert into content_tags (tag, content_id, published_at) values ($1, $2, $3)',
  addContent: 'update user_counts set content_count = content_count + 1 where user_id = $1',
  addToCategory: 'update category_totals set total = total + 1 where category = $1',

  notice: `
    insert into notifications
      (id, user_id, type, kind, actor_id, subject_id, params, link, is_read, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)
    on conflict (user_id, type, actor_id, subject_id) do nothing`,
  addNotice: `
    update notification_counts set total = total + 1, unread = unread + 1, last_notification_id = $2
    where user_id = $1`,
  withdraw: `
    delete from notifications
    where user_id = $1 and type = 'like' and actor_id = $2 and subject_id = $3 and is_read = 0
      and id > (select read_up_to from notification_counts where user_id = $1)`,
  takeNotice:
    'update notification_counts set total = total - 1, unread = unread - 1 where user_id = $1',

  peer: `
    select u.is_suspended from conversation_members m join users u on u.id = m.peer_id
    where m.conversation_id = $1 and m.user_id = $2`,
  message: `
    insert into messages (id, conversation_id, sender_id, body, client_message_id, created_at)
    values ($1, $2, $3, $4, null, $5)`,
  addMessage: 'update conversations set last_message_id = $2, updated_at = $3 where id = $1',
  addToMembers: `
    update conversation_members set is_listed = 1, updated_at = $3,
      unread_count = unread_count + case when user_id = $2 then 0 else 1 end
    where conversation_id = $1`,
} as const

export type SqlName = keyof typeof SQL
