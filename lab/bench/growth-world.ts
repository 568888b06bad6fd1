/**
 * Fills the databases of the growth benchmark with rows and their stored counts. All values are computed from row
 * numbers, so two databases differ only in size.
 */
import type { Db, Run } from '../../src/db/handle.ts'
import { SECRETS } from '../../bench/servers.ts'
import { readConfig } from '../../src/config.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Engine } from '../../src/db/statement.ts'
import { fillSearchIndex } from '../../src/indexing/fill.ts'
import { openSession } from '../../src/sessions/rules.ts'
import { MANY_FOLLOWERS } from '../../src/users/suspended-follows.ts'
import { relationsOf } from './growth-relations.ts'
import { type Part, USER, type Sizes, wordsOf } from './growth-words.ts'

export interface GrownWorld {
  games: string[]
  tokens: Record<Part, string>
}

export async function growWorld(db: Db, sizes: Sizes, step: (name: string) => void): Promise<void> {
  await migrate(db, () => Date.now())
  const isSqlite = db.engine === 'sqlite'
  const settings = isSqlite
    ? ['foreign_keys = off', 'synchronous = off', 'cache_size = -2000000', 'temp_store = memory']
    : [
        'session_replication_role = replica',
        'synchronous_commit = off',
        'work_mem = "512MB"',
        'maintenance_work_mem = "1GB"',
        'statement_timeout = 0',
      ]
  await db.script(async (run) => {
    for (const setting of settings) await run(`${isSqlite ? 'pragma' : 'set'} ${setting}`)
    const indexes = await takeIndexes(run, db.engine)
    for (const text of statementsFor(db.engine, sizes)) {
      step(text.split(/[\s(]+/, 3).join(' '))
      await run(text)
    }
    await run("update search_progress set reached = ''")
    for (const text of indexes) {
      step(text.replace(/^create (unique )?index (\S+).*$/is, '$2'))
      await run(text)
    }
  })
  step('search index')
  await fillSearchIndex(db, 2000)
  await db.script(async (run) => {
    step('statistics')
    if (isSqlite) {
      await run('pragma synchronous = full')
      await run('pragma wal_checkpoint(truncate)')
    } else {
      await run('vacuum (analyze)')
      await run('checkpoint')
      for (const setting of settings) await run(`reset ${setting.split(' =')[0]}`)
    }
  })
}

/**
 * Drops the indexes that back no constraint, so that inserts are faster. Returns the statements that create the indexes
 * again.
 */
async function takeIndexes(run: Run, engine: Engine): Promise<string[]> {
  const rows = await run(
    engine === 'sqlite'
      ? `select name, sql from sqlite_master where type = 'index' and sql is not null`
      : `select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public'
         and not exists (select 1 from pg_constraint where conname = indexname)`,
  )
  for (const { name } of rows) await run(`drop index ${String(name)}`)
  return rows.map(({ sql }) => String(sql))
}

export async function enterWorld(db: Db): Promise<GrownWorld> {
  const config = readConfig({ ...SECRETS, ACCESS_TOKEN_TTL: '86400' })
  const client = { ip: '127.0.0.1', userAgent: 'bench' }
  const { idOf } = wordsOf(db.engine)
  const tokens: Partial<Record<Part, string>> = {}
  for (const [part, number] of Object.entries(USER) as [Part, number][]) {
    const opened = await db.transaction((tx) =>
      openSession(tx, config, idOf('usr', number), client, Date.now()),
    )
    tokens[part] = opened.access_token
  }
  const rows = await db.script((run) =>
    run(
      `select content_id from content_stats where is_public = 1 and category = 'jump'
       order by published_at desc limit 300`,
    ),
  )
  const games = rows.map(({ content_id }) => String(content_id))
  return { games, tokens: tokens as GrownWorld['tokens'] }
}

function statementsFor(engine: Engine, sizes: Sizes): string[] {
  const { id, idOf, hash, series, times } = wordsOf(engine)
  const { users, contents } = sizes
  const inCategory = (category: string) => `case when category = '${category}' then 1 else 0 end`
  const isSuspended = 'case when i % 200 = 199 then 1 else 0 end'
  return [
    `insert into users (id, handle, email, email_key, password_hash, display_name, role, tier,
         is_suspended, suspended_at, created_at, search_text)
       select ${id('usr', 'i')}, 'person_' || i, 'person_' || i || '@example.test',
         'person_' || i || '@example.test', '', '사람 ' || i,
         case when i = ${USER.admin} then 'admin' else 'user' end, 'regular', ${isSuspended},
         case when i % 200 = 199 then ${times.start} end, ${times.start},
         'person_' || i || chr(10) || '사람 ' || i || chr(10) || 'person_' || i || '@example.test' || chr(10) || ${id('usr', 'i')}
       from ${series(users)}`.replaceAll('chr(10)', engine === 'sqlite' ? 'char(10)' : 'chr(10)'),
    `create table growth_works as select i, id, creator, category, type, status,
         case when status = 'published' and creator % 200 <> 199 then 1 else 0 end as is_public,
         case when status <> 'draft' then at end as published_at, at,
         '["' || case when i % 10 < 3 then 'common","' else '' end || 'tag' || ((i / 7) % 100) ||
           '","rare' || ((i / 3) % ${Math.ceil(contents / 50)}) || '"]' as tags
       from (
         select i, ${id('cnt', 'i')} as id,
           case when i % 50 = 0 then ${USER.creator} else 10 + ${hash('i', 1)} % ${users - 10} end as creator,
           case i % 4 when 2 then 'swipe' when 3 then 'jump' else 'hype' end as category,
           case i % 4 when 1 then 'article' when 3 then 'game' else 'video' end as type,
           case i % 97 when 5 then 'draft' when 6 then 'archived' else 'published' end as status,
           ${times.start} + i * ${Math.floor(times.span / contents)} as at
         from ${series(contents)}) as made`,
    `insert into contents (id, creator_id, category, type, title, description, tags, status,
         published_at, created_at, updated_at)
       select id, ${id('usr', 'creator')}, category, type, '작품 ' || i || ': a work',
         'The river at night stays with me. The river at night stays with me. 밤의 강.', tags, status,
         published_at, at, at from growth_works order by i`,
    ...relationsOf(engine, sizes),
    `insert into content_stats (content_id, creator_id, category, type, is_public, published_at,
         like_count, bookmark_count, comment_count, listed_comment_count, top_comment_count,
         last_comment_id, view_count, play_count, hot_score)
       select w.id, ${id('usr', 'w.creator')}, category, type, is_public, published_at, coalesce(l.n, 0),
         coalesce(b.n, 0), coalesce(c.n, 0), coalesce(c.n, 0), coalesce(c.top, 0), c.last, 3, 0,
         coalesce(published_at, 0) / 45000000.0 + ln(cast(1 + coalesce(l.n, 0)
           + 2 * coalesce(b.n, 0) + 2 * coalesce(c.n, 0) as double precision))
       from growth_works as w
       left join (select content_id, count(*) as n from likes group by content_id) as l on l.content_id = w.id
       left join (select content_id, count(*) as n from bookmarks group by content_id) as b on b.content_id = w.id
       left join (select content_id, count(*) as n, max(id) as last,
         sum(case when parent_id is null then 1 else 0 end) as top
         from comments group by content_id) as c on c.content_id = w.id
       order by w.id`,
    `insert into content_tags (tag, content_id, category, published_at, score_bucket)
       select tag, id, tagged.category, tagged.published_at, cast(floor(hot_score * 8) as bigint) from (
         select 'common' as tag, id, category, published_at from growth_works where is_public = 1 and i % 10 < 3
         union all
         select 'tag' || ((i / 7) % 100), id, category, published_at from growth_works where is_public = 1
         union all
         select 'rare' || ((i / 3) % ${Math.ceil(contents / 50)}), id, category, published_at
           from growth_works where is_public = 1
       ) as tagged join content_stats on content_id = id order by tag, id`,
    `insert into tag_totals (tag, category, total)
       select tag, category, count(*) from content_tags group by tag, category`,
    `insert into tags (tag, content_count) select tag, sum(total) from tag_totals where true
       group by tag on conflict do nothing`,
    `update shown_tags set total = (select count(*) from tags)`,
    `insert into tag_follows (user_id, tag, created_at)
       select '${idOf('usr', USER.viewer)}', tag, 1 from tags where tag in ('common', 'tag7', 'rare7')
       union all select '${idOf('usr', USER.follower)}', 'tag' || i, 1 from ${series(100)}
       union all select '${idOf('usr', USER.follower)}', 'rare' || i, 1 from ${series(150)}`,
    `update category_totals set total =
         (select count(*) from growth_works as w where w.category = category_totals.category and is_public = 1)`,
    `insert into user_counts (user_id, follower_count, following_count, content_count, hype_count,
         swipe_count, jump_count, suspended_follower_count, block_count)
       select id, sum(follower), sum(following), sum(hype) + sum(swipe) + sum(jump), sum(hype),
         sum(swipe), sum(jump), sum(suspended),
         case when id = '${idOf('usr', USER.blocker)}' then ${sizes.blocks} else 0 end
       from (
         select id, 0 as follower, 0 as following, 0 as hype, 0 as swipe, 0 as jump, 0 as suspended from users where erased_at is null
         union all select follower_id, 0, 1, 0, 0, 0, 0 from follows
         union all select creator_id, 1, 0, 0, 0, 0, is_suspended from follows join users on id = follower_id
         union all select ${id('usr', 'creator')}, 0, 0, ${inCategory('hype')}, ${inCategory('swipe')}, ${inCategory('jump')}, 0
           from growth_works where is_public = 1
       ) as one group by id`,
    `insert into suspended_stars (creator_id) select id from users join user_counts on user_id = id
         where is_suspended = 1 and follower_count > ${MANY_FOLLOWERS}`,
    `update follows set is_follower_suspended = 1
         where follower_id in (select id from users where is_suspended = 1)`,
    `update follows set is_creator_suspended = 1
         where creator_id in (select id from users where is_suspended = 1)
           and creator_id not in (select creator_id from suspended_stars)`,
    `update member_total set total = ${users}`,
    `insert into notification_counts (user_id, total, unread, read_up_to, last_notification_id)
       select u.id, coalesce(n.total, 0), coalesce(n.unread, 0), '', n.last from users as u
       left join (select user_id, count(*) as total, max(id) as last,
         sum(case when is_read = 0 then 1 else 0 end) as unread from notifications group by user_id) as n
         on n.user_id = u.id
       where u.erased_at is null order by u.id`,
    'drop table growth_works',
  ]
}
