import type { Engine } from '../../src/db/statement.ts'
import { heavyContent, USER, type Sizes, wordsOf } from './growth-words.ts'

export function relationsOf(engine: Engine, sizes: Sizes): string[] {
  const { id, idOf, hash, series, times } = wordsOf(engine)
  const { users, contents, likesEach, followers, follows, growingFollows } = sizes
  const heavy = heavyContent(sizes)
  const randomTime = (number: string, salt: number) =>
    `${times.start} + ${hash(number, salt)} * 14 % ${times.span}`
  const user = (number: number) => `'${idOf('usr', number)}'`
  /** Returns SQL for the number of a random content item. A few items occur often, and most occur rarely. */
  const skewed = (number: string, salt: number) =>
    `(${hash(number, salt)} % ${contents}) * (${hash(number, salt)} % ${contents}) / ${contents}`
  const reactions = (table: string, rows: string) =>
    `insert into ${table} (content_id, user_id, created_at)
     select ${id('cnt', 'c')}, ${id('usr', 'u')}, min(at) from (${rows}) as made
     group by c, u order by c, u`
  const some = (who: number, count: number, salt: number) =>
    `select ${hash('i', salt)} % ${contents} as c, ${who} as u, ${randomTime('i', salt)} as at from ${series(count)}`
  return [
    reactions(
      'likes',
      `select ${skewed('i', 2)} as c, i / ${likesEach} as u, ${randomTime('i', 3)} as at from ${series(users * likesEach)}
       union all select ${heavy}, 10 + i, ${randomTime('i', 4)} from ${series(Math.floor(users / 2))}
       union all ${some(USER.liker, sizes.heavyLikes, 5)}
       union all ${some(USER.viewer, 100, 6)}`,
    ),
    reactions(
      'bookmarks',
      `select ${skewed('i', 7)} as c, i as u, ${randomTime('i', 8)} as at from ${series(users)}
       union all ${some(USER.liker, sizes.heavyLikes, 9)}
       union all ${some(USER.viewer, 50, 10)}`,
    ),
    `insert into follows (creator_id, follower_id, created_at)
       select ${id('usr', 'c')}, ${id('usr', 'f')}, min(at) from (
         select 10 + ${hash('i', 11)} % ${users - 10} as c, i / 5 as f, ${randomTime('i', 12)} as at from ${series(users * 5)}
         union all select ${USER.star}, 10 + i, ${randomTime('i', 13)} from ${series(followers)}
         union all select 10 + i, ${USER.follower}, ${randomTime('i', 14)} from ${series(follows)}
         union all select 10 + i, ${USER.growingFollower}, ${randomTime('i', 14)} from ${series(growingFollows)}
         union all select 10 + i * 7, ${USER.viewer}, ${randomTime('i', 14)} from ${series(60)}
       ) as made where c <> f group by c, f order by c, f`,
    // Every five consecutive comments belong to one content. The last two of the five reply to the first.
    `insert into comments (id, content_id, parent_id, root_id, author_id, body, is_deleted,
         is_listed, reply_count, listed_reply_count, created_at, updated_at)
       select ${id('cmt', 'i')}, ${id('cnt', 'c')},
         case when i % 5 > 2 then ${id('cmt', 'i - i % 5')} end,
         case when i % 5 > 2 then ${id('cmt', 'i - i % 5')} end,
         ${id('usr', `${hash('i', 15)} % ${users}`)}, i || '번째 감상: The river at night stays with me.',
         0, 1, case when i % 5 = 0 then 2 else 0 end, case when i % 5 = 0 then 2 else 0 end,
         ${times.start} + i, ${times.start} + i
       from (select i, case when i < ${sizes.heavyComments} then ${heavy}
           else ${skewed('i / 5', 16)} end as c
         from ${series(sizes.heavyComments + sizes.comments)}) as made order by i`,
    `insert into notifications (id, user_id, type, kind, actor_id, subject_id, params, link, is_read, created_at)
       select ${id('ntf', 'i')}, ${id('usr', 'u')}, 'like', 'like.content',
         ${id('usr', `10 + ${hash('i', 17)} % ${users - 10}`)}, ${id('cnt', 'i')}, '{"title":"작품"}',
         '/contents/' || ${id('cnt', 'i')}, i % 2, ${times.start} + i * 31
       from (select i, case when i < ${sizes.notifications} then ${USER.notified} else ${hash('i', 18)} % 10 end as u
         from ${series(sizes.notifications + users)}) as made order by i`,
    `insert into user_filters (user_id, filtered_id, blocked_at)
       select ${user(USER.blocker)}, ${id('usr', '11 + 3 * i')}, ${times.start} + i from ${series(sizes.blocks)}`,
    ...casesOf(engine, sizes),
    ...conversationsOf(engine, sizes),
    ...postsOf(engine, sizes),
    `insert into apps (id, owner_id, app_name, app_type, redirect_uris, scopes, created_at, updated_at)
       values ('${idOf('app', 0)}', ${user(USER.admin)}, 'Bench', 'server', '[]', '["contents:read"]', 1, 1)`,
    `insert into webhooks (id, owner_id, app_id, endpoint_url, events, is_active, secret, signing_secret, ended_count, created_at, updated_at)
       values ('${idOf('whk', 0)}', ${user(USER.admin)}, '${idOf('app', 0)}', 'https://example.test/',
         '["content.liked"]', 0, '', '', ${sizes.deliveries}, 1, 1)`,
    `insert into webhook_events (id, kind, created_at, payload)
       select ${id('evt', 'i')}, 'content.liked', ${times.start} + ${times.span}, '{}' from ${series(sizes.deliveries)}`,
    `insert into webhook_deliveries (id, webhook_id, event_id, cause, status, attempt_count, ended_at, created_at)
       select ${id('dlv', 'i')}, '${idOf('whk', 0)}', ${id('evt', 'i')}, 'event', 'failed', 0, 9999999999999, ${times.start}
       from ${series(sizes.deliveries)}`,
  ]
}

/** Returns statements that create conversations with three messages each, and many more messages in the first one. */
function conversationsOf(engine: Engine, sizes: Sizes): string[] {
  const { id, series, times } = wordsOf(engine)
  const count = sizes.conversations
  const last = `case when i = 0 then ${3 * count + sizes.messages - 1} else 3 * i + 2 end`
  const sender = (peer: string) => `case when i % 2 = 0 then ${USER.writer} else ${peer} end`
  const member = (user: string, peer: string, unread: string) =>
    `select ${id('cnv', 'i')} as conversation_id, ${id('usr', user)} as user_id, ${id('usr', peer)} as peer_id,
       1 as is_listed, ${unread} as unread_count,
       ${id('msg', last)} as read_up_to, ${times.start} + ${last} as updated_at from ${series(count)}`
  return [
    `insert into conversations (id, user_low, user_high, last_message_id, created_at, updated_at)
       select ${id('cnv', 'i')}, ${id('usr', String(USER.writer))}, ${id('usr', '10 + i')}, ${id('msg', last)},
         ${times.start}, ${times.start} + ${last} from ${series(count)}`,
    `insert into conversation_members (conversation_id, user_id, peer_id, is_listed, unread_count, read_up_to, updated_at)
       ${member(String(USER.writer), '10 + i', '0')} union all ${member('10 + i', String(USER.writer), '0')}`,
    `insert into messages (id, conversation_id, sender_id, body, created_at)
       select ${id('msg', 'i')}, ${id('cnv', 'c')}, ${id('usr', sender('10 + c'))}, '밤의 강을 따라 걷는 장면이 오래 남습니다.', ${times.start} + i
       from (select i, case when i < ${3 * count} then i / 3 else 0 end as c
         from ${series(3 * count + sizes.messages)}) as made order by i`,
  ]
}

function postsOf(engine: Engine, sizes: Sizes): string[] {
  const { id, idOf, hash, series, times } = wordsOf(engine)
  const { posts, replies, users, ownPosts } = sizes
  const isReply = `i >= ${posts}`
  const own = Math.max(1, Math.floor(posts / ownPosts))
  return [
    `insert into posts (id, author_id, body, parent_id, root_id, last_reply_id, reply_count,
         listed_reply_count, like_count, is_deleted, is_listed, created_at)
       select ${id('pst', 'i')},
         ${id('usr', `case when i % ${own} = 0 and not ${isReply} then ${USER.poster} else 10 + ${hash('i', 19)} % ${users - 10} end`)},
         '오늘은 강을 따라 걸었다. ' || i, case when ${isReply} then '${idOf('pst', 0)}' end,
         case when ${isReply} then '${idOf('pst', 0)}' end,
         case when i = 0 then '${idOf('pst', posts + replies - 1)}' end,
         case when i = 0 then ${replies} else 0 end, case when i = 0 then ${replies} else 0 end,
         0, 0, 1, ${times.start} + i
       from ${series(posts + replies)} order by i`,
    `update post_timeline set last_post_id = '${idOf('pst', posts - 1)}'`,
  ]
}

/**
 * Returns statements that create cases with one report each. On PostgreSQL the last statements count reports and cases.
 * On SQLite triggers have already counted them.
 */
function casesOf(engine: Engine, sizes: Sizes): string[] {
  const { id, idOf, series, times } = wordsOf(engine)
  const isOpen = 'i % 100 = 0'
  const content = id('cnt', 'i')
  const reason = `case i % 3 when 0 then 'spam' when 1 then 'copyright' else 'other' end`
  const decidedAt = `case when ${isOpen} then null else ${times.start} + i + 1 end`
  return [
    `insert into reports (id, reporter_id, subject_kind, subject_id, case_id, reason, status, created_at, decided_at)
       select ${id('rpt', 'i')}, ${id('usr', `10 + i % ${sizes.users - 10}`)}, 'content', ${content}, ${id('cas', 'i')},
         ${reason}, case when ${isOpen} then 'open' else 'dismissed' end, ${times.start} + i, ${decidedAt}
       from ${series(sizes.cases)} order by i`,
    `insert into cases (id, subject_kind, subject_id, subject_user_id, report_count, status, assignee_id,
         opened_at, decided_at)
       select ${id('cas', 'i')}, 'content', ${content}, ${id('usr', `10 + i % ${sizes.users - 10}`)}, 1,
         case when ${isOpen} then 'open' else 'decided' end,
         case when i % 200 = 0 then '${idOf('usr', USER.admin)}' end, ${times.start} + i, ${decidedAt}
       from ${series(sizes.cases)} order by i`,
    `insert into case_reasons (case_id, reason, status, total)
       select case_id, reason, case when status = 'open' then 'open' else 'decided' end, 1
       from reports where true on conflict do nothing`,
    `insert into case_totals (status, subject_kind, total)
       select status, subject_kind, count(*) from cases where true group by status, subject_kind
       on conflict do nothing`,
    `insert into case_filter_totals (status, subject_kind, assignee_id, reason, total)
       select cases.status, subject_kind, coalesce(assignee_id, ''), reasons.reason, count(*)
       from cases join (select id as case_id, '' as reason from cases
         union all select case_id, reason from case_reasons) as reasons on reasons.case_id = cases.id
       where true group by 1, 2, 3, 4 on conflict do nothing`,
  ]
}
