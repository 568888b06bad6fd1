import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { EyeOff, Hash, Search as SearchIcon } from 'lucide-react'
import { Post, PostsSkeleton } from '../community/Post.tsx'
import { Grid, GridSkeleton } from '../contents/Grid.tsx'
import { TYPES } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { UserList, UsersSkeleton } from '../creators/UserList.tsx'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { SearchField } from '../shell/SearchField.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Select } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { type Kind, KINDS, SORTS, searchQuery, trendingQuery } from './queries.ts'
import styles from './Search.module.css'
import { texts } from './texts.ts'

const route = getRouteApi('/search')

export function Search() {
  const t = useTexts(texts)
  const { q } = route.useSearch()
  return (
    <Page title={q ? t.titleOf(q) : t.title} hidesTitle={!q}>
      <div className={styles.field}>
        <SearchField />
      </div>
      {q ? <Results q={q} /> : <Begin />}
    </Page>
  )
}

function Begin() {
  const t = useTexts(texts)
  const { data: { tags = [] } = {} } = useQuery(trendingQuery)
  return (
    <>
      <Empty icon={<SearchIcon />} title={t.begin}>
        {t.beginHelp}
      </Empty>
      {tags.length > 0 && (
        <section>
          <h2>{t.trending}</h2>
          <TagLinks tags={tags} />
        </section>
      )}
    </>
  )
}

function TagLinks({ tags }: { tags: readonly { tag: string; content_count: number }[] }) {
  const t = useTexts(texts)
  return (
    <ul className={styles.tags}>
      {tags.map(({ tag, content_count }) => (
        <li key={tag}>
          <Link to="/tags/$tag" params={{ tag }} className={styles.tag}>
            <Hash />
            <span className="clip">{tag}</span>
            <span className="fine">{t.works(content_count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Results({ q }: { q: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { kind = 'contents', type, sort } = route.useSearch()
  const query = useInfiniteQuery(searchQuery({ q, kind, type, sort }))
  const pagination = query.data?.pages[0]?.pagination
  const list = {
    query,
    empty: pagination?.total ? (
      <Empty icon={<EyeOff />} title={t.allHidden} level={3}>
        {t.allHiddenHelp}
      </Empty>
    ) : (
      <Empty icon={<SearchIcon />} title={t.nothing(q)} level={3}>
        {t.nothingHelp}
      </Empty>
    ),
  }
  return (
    <>
      <Tabs label={t.kinds}>
        {KINDS.map((name) => (
          <Tab
            key={name}
            to="/search"
            search={{ q, kind: name === 'contents' ? undefined : name }}
            aria-current={name === kind ? 'page' : undefined}
          >
            {t[name]}
          </Tab>
        ))}
      </Tabs>
      <div className={styles.filters}>
        <p className="fine" role="status">
          {pagination && t.found(formats.number(pagination.total), pagination.total_is_minimum)}
        </p>
        {(pagination?.total !== 0 || type) && <Filters kind={kind} />}
      </div>
      <h2 className="unseen">{t[kind]}</h2>
      {kind === 'contents' && (
        <Entries {...list} target={({ feeds = [] }) => feeds} skeleton={<GridSkeleton />}>
          {(contents) => <Grid contents={contents} />}
        </Entries>
      )}
      {kind === 'creators' && (
        <Entries {...list} target={({ users = [] }) => users} skeleton={<UsersSkeleton />}>
          {(users) => <UserList users={users} />}
        </Entries>
      )}
      {kind === 'posts' && (
        <Entries {...list} target={({ posts = [] }) => posts} skeleton={<PostsSkeleton />}>
          {(posts) => (
            <ul className={styles.posts}>
              {posts.map((post) => (
                <li key={post.id}>
                  <Post post={post} level={3} />
                </li>
              ))}
            </ul>
          )}
        </Entries>
      )}
      {kind === 'tags' && (
        <Entries
          {...list}
          target={({ tags = [] }) => tags.map((tag) => ({ id: tag.tag, ...tag }))}
          skeleton={<UsersSkeleton />}
        >
          {(tags) => <TagLinks tags={tags} />}
        </Entries>
      )}
    </>
  )
}

function Filters({ kind }: { kind: Kind }) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const navigate = useNavigate()
  const search = route.useSearch()
  const { type = '', sort = 'relevance' } = search
  const change = (changed: { type?: string | undefined; sort?: string | undefined }) =>
    void navigate({
      to: '/search',
      search: { ...search, ...changed } as typeof search,
      replace: true,
    })
  return (
    <div className={styles.selects}>
      {kind === 'contents' && (
        <Select
          label={t.type}
          hidesLabel
          value={type}
          options={[['', t.anyType], ...TYPES.map((name) => [name, words.type[name]] as const)]}
          onChange={({ target }) => change({ type: target.value || undefined })}
        />
      )}
      <Select
        label={t.sort}
        hidesLabel
        value={sort}
        onChange={({ target }) =>
          change({ sort: target.value === 'relevance' ? undefined : target.value })
        }
        options={SORTS.filter((name) => name !== 'latest' || kind !== 'tags').map((name) => [
          name,
          t[name],
        ])}
      />
    </div>
  )
}
