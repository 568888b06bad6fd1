/** SQL of the hand-written handlers, as a developer would write it for these routes only. */

/** Columns of a content item. Parameter $2 is the viewer. */
const WORK = `
    select c.id, c.category, c.type, c.title, c.description, c.tags, c.status, c.thumbnail_url,
      c.game, c.published_at, c.created_at, c.updated_at, s.like_count, s.bookmark_count,
      s.comment_count, s.view_count, s.play_count,
      u.id as creator_id, u.handle, u.display_name, u.avatar_url,
      exists (select 1 from likes l where l.content_id = c.id and l.user_id = $2) as is_liked,
      exists (select 1 from bookmarks b where b.content_id = c.id and b.user_id = $2) as is_bookmarked`

/** Returns the SQL of a content list. `ids` is a subquery that returns content ids and their sort columns. */
function action(ids: string, order: string): string {
  return `${WORK}
    from (${ids}) page
    join contents c on c.id = page.content_id
    join content_stats s on s.content_id = c.id
    join users u on u.id = c.creator_id
    order by ${order}`
}

/** Returns SQL that selects the latest public contents that match the condition. */
const latest = (where: string) =>
  action(
    `select content_id, published_at from content_stats where is_public = 1 ${where}
     order by published_at desc, content_id desc limit $1`,
    'page.published_at desc, page.content_id desc',
  )

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

  notificationCounts:
    'select total, unread, read_up_to from notification_counts where user_id = $1',
  notifications: `
    select n.id, n.type, n.kind, n.params, n.link, n.is_read, n.created_at,
      u.id as actor_id, u.handle, u.display_name, u.avatar_url
    from notifications n left join users u on u.id = n.actor_id
    where n.user_id = $1 order by n.id desc limit $2`,

  commentTotal: `
    select listed_comment_count as total from content_stats
    where content_id = $1 and is_public = 1`,
  comments: `
    select c.id, c.content_id, c.parent_id, c.root_id, c.author_id, c.body, c.is_deleted,
      c.reply_count, c.created_at, c.updated_at, u.handle, u.display_name, u.avatar_url
    from comments c join users u on u.id = c.author_id
    where c.content_id = $1 and c.is_listed = 1
    order by c.id limit $2`,

  likedTotal: `
    select count(*) as total from likes l join content_stats s on s.content_id = l.content_id
    where l.user_id = $1 and s.is_public = 1`,
  liked: action(
    `select l.content_id, l.created_at from likes l
     join content_stats s on s.content_id = l.content_id
     where l.user_id = $2 and s.is_public = 1
     order by l.created_at desc, l.content_id desc limit $1`,
    'page.created_at desc, page.content_id desc',
  ),

  homeTotal: 'select sum(total) as total from category_totals',
  home: latest(''),
  gamesTotal: `select total from category_totals where category = 'jump'`,
  games: latest(`and category = 'jump'`),

  detail: `${WORK}
    from contents c join content_stats s on s.content_id = c.id join users u on u.id = c.creator_id
    where c.id = $1 and (s.is_public = 1 or c.creator_id = $2)`,
  text: 'select body from content_texts where content_id = $1',

  visible: `
    select c.id from contents c join content_stats s on s.content_id = c.id
    where c.id = $1 and s.is_public = 1`,
  related: `
    select s.content_id from (
      select o.content_id, 3 as weight from content_tags m join content_tags o on o.tag = m.tag
        and o.published_at >= coalesce((select published_at from content_tags
          where tag = m.tag order by published_at desc limit 1 offset 49), 0)
      where m.content_id = $1
      union all
      select l.content_id, 2
      from (select user_id from likes where content_id = $1 order by user_id desc limit 50) liker
      join likes l on l.user_id = liker.user_id
        and l.created_at >= coalesce((select created_at from likes
          where user_id = liker.user_id order by created_at desc limit 1 offset 19), 0)
      union all
      select content_id, 2 from (
        select content_id from content_stats
        where creator_id = (select creator_id from contents where id = $1) and is_public = 1
        order by published_at desc, content_id desc limit 100) own
    ) found
    join content_stats s on s.content_id = found.content_id
    where s.is_public = 1 and s.content_id <> $1
    group by s.content_id, s.hot_score
    order by sum(found.weight) desc, s.hot_score desc, s.content_id desc limit 200`,
  popular: `
    select content_id from content_stats where is_public = 1
    order by hot_score desc, content_id desc limit 200`,
  named: action('select value as content_id from json_each($1)', 'c.id'),

  creator: `
    select u.id, u.handle, u.display_name, u.avatar_url, u.bio, u.created_at, n.follower_count,
      n.following_count, n.content_count, f.created_at as followed_at
    from users u join user_counts n on n.user_id = u.id
    left join follows f on f.creator_id = u.id and f.follower_id = $2
    where u.handle = $1 and u.is_suspended = 0`,

  posts: `
    select p.id, p.author_id, p.body, p.parent_id, p.root_id, p.reply_count, p.like_count,
      p.is_deleted, p.created_at, u.handle, u.display_name, u.avatar_url, l.user_id as liked_by
    from posts p join users u on u.id = p.author_id
    left join post_likes l on l.post_id = p.id and l.user_id = $2
    where p.parent_id is null and p.is_deleted = 0
    order by p.id desc limit $1`,

  conversations: `
    select c.id, c.created_at, m.updated_at, m.unread_count, m.read_up_to,
      t.read_up_to as peer_read_up_to, u.id as peer_id, u.handle, u.display_name, u.avatar_url,
      l.id as message_id, l.sender_id, l.body, l.client_message_id, l.created_at as sent_at
    from conversation_members m
    join conversations c on c.id = m.conversation_id
    join conversation_members t on t.conversation_id = m.conversation_id and t.user_id = m.peer_id
    join users u on u.id = m.peer_id
    left join messages l on l.id = c.last_message_id
    where m.user_id = $1 and m.is_listed = 1
    order by m.updated_at desc, m.conversation_id desc limit $2`,
  marks: `
    select m.peer_id, m.read_up_to, t.read_up_to as peer_read_up_to
    from conversation_members m
    join conversation_members t on t.conversation_id = m.conversation_id and t.user_id = m.peer_id
    where m.conversation_id = $1 and m.user_id = $2`,
  messages: 'select * from messages where conversation_id = $1 order by id desc limit $2',

  followingTotal: `
    select sum(n.content_count) as total from follows f
    join user_counts n on n.user_id = f.creator_id where f.follower_id = $1`,
  following: action(
    `select s.content_id, s.published_at from follows f
     join content_stats s on s.creator_id = f.creator_id and s.is_public = 1
     where f.follower_id = $2
     order by s.published_at desc, s.content_id desc limit $1`,
    'page.published_at desc, page.content_id desc',
  ),

  work: `
    select s.creator_id, s.like_count, s.bookmark_count, c.title
    from content_stats s join contents c on c.id = s.content_id
    where s.content_id = $1 and s.is_public = 1`,
  like: `
    insert into likes (content_id, user_id, created_at) values ($1, $2, $3)
    on conflict (content_id, user_id) do nothing`,
  unlike: 'delete from likes where content_id = $1 and user_id = $2',
  bookmark: `
    insert into bookmarks (content_id, user_id, created_at) values ($1, $2, $3)
    on conflict (content_id, user_id) do nothing`,
  unbookmark: 'delete from bookmarks where content_id = $1 and user_id = $2',

  followed: 'select id from users where handle = $1 and is_suspended = 0',
  counts: 'select user_id from user_counts where user_id = $1',
  follow: `
    insert into follows (creator_id, follower_id, created_at) values ($1, $2, $3)
    on conflict (creator_id, follower_id) do nothing`,
  unfollow: 'delete from follows where creator_id = $1 and follower_id = $2',
  followers: 'select follower_count as total from user_counts where user_id = $1',
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
  contentTag: `
    insert into content_tags (tag, content_id, category, published_at, score_bucket)
    values ($1, $2, $3, $4, cast(floor(cast($4 as bigint) / 45000000.0 * 2) as bigint))`,
  addToTag: `
    insert into tag_totals (tag, category, total) values ($1, $2, 1)
    on conflict (tag, category) do update set total = tag_totals.total + 1`,
  addContent: `
    update user_counts set content_count = content_count + 1,
      hype_count = hype_count + case when $2 = 'hype' then 1 else 0 end,
      swipe_count = swipe_count + case when $2 = 'swipe' then 1 else 0 end,
      jump_count = jump_count + case when $2 = 'jump' then 1 else 0 end
    where user_id = $1`,
  addToCategory: 'update category_totals set total = total + 1 where category = $1',

  notice: `
    insert into notifications
      (id, user_id, type, kind, actor_id, subject_id, params, link, is_read, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)
    on conflict (user_id, type, actor_id, subject_id) do nothing`,
  withdraw: `
    delete from notifications
    where user_id = $1 and type = $2 and actor_id = $3 and subject_id = $4 and is_read = 0
      and id > (select read_up_to from notification_counts where user_id = $1)`,

  timeline: 'select last_post_id from post_timeline where id = 1',
  post: `
    insert into posts (id, author_id, body, parent_id, root_id, last_reply_id, reply_count,
      listed_reply_count, like_count, is_deleted, is_listed, created_at)
    values ($1, $2, $3, null, null, null, 0, 0, 0, 0, 1, $4)`,
  setTimeline: 'update post_timeline set last_post_id = $1 where id = 1',

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
