import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { EyeOff, Hash, Search as SearchIcon } from 'lucide-react'
import { Post, PostsSkeleton } from '../community/Post.tsx'
import { Grid, GridSkeleton } from '../contents/Feed.tsx'
import { type ContentType, TYPES } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { UserList, UsersSkeleton } from '../creators/UserList.tsx'
import { PEOPLE } from '../creators/queries.ts'
import { useFormats } from '../language/formats.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages, type Key } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { SearchField } from '../shell/SearchField.tsx'
import { Options, Select } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import styles from './Search.module.css'

const PER_PAGE = 24

const KINDS = ['contents', 'creators', 'posts', 'tags'] as const
const SORTS = ['relevance', 'latest', 'popular'] as const
type Kind = (typeof KINDS)[number]

interface SearchParameters {
  q: string
  kind: Kind
  type?: ContentType | undefined
  sort?: (typeof SORTS)[number] | undefined
}

const trendingQuery = queryOptions({
  queryKey: ['tags', 'trending'],
  queryFn: ({ signal }) => plaza.tags.list({ sort: 'trending', per_page: 12 }, { signal }),
  staleTime: 60_000,
})

/**
 * Prefixes of the query keys of search results. Likes, bookmarks and follows update all lists whose keys have these
 * prefixes.
 */
const ROOTS: Record<Kind, Key> = {
  contents: ['contents', 'lists'],
  creators: PEOPLE,
  posts: ['posts'],
  tags: ['tags'],
}

function searchQuery({ q, kind, type, sort = 'relevance' }: SearchParameters) {
  return byPages([...ROOTS[kind], 'search', sort, type ?? null, q], (page, signal) =>
    plaza.search.listResults(
      { q, kind, sort, page, per_page: PER_PAGE, ...(type && kind === 'contents' && { type }) },
      { signal },
    ),
  )
}

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
          onChange={({ target }) => change({ type: target.value || undefined })}
        >
          <option value="">{t.anyType}</option>
          <Options entries={TYPES.map((name) => [name, words.type[name]])} />
        </Select>
      )}
      <Select
        label={t.sort}
        hidesLabel
        value={sort}
        onChange={({ target }) =>
          change({ sort: target.value === 'relevance' ? undefined : target.value })
        }
      >
        <Options
          entries={SORTS.filter((name) => name !== 'latest' || kind !== 'tags').map((name) => [
            name,
            t[name],
          ])}
        />
      </Select>
    </div>
  )
}

const texts = defineTexts({
  title: ['검색', 'Search'],
  titleOf: (q: string) => [`‘${q}’ 검색 결과`, `Results for “${q}”`],
  works: (count: number) => [`작품 ${count}개`, count === 1 ? '1 work' : `${count} works`],
  kinds: ['찾을 대상', 'Search in'],
  contents: ['작품', 'Works'],
  creators: ['크리에이터', 'Creators'],
  posts: ['글', 'Posts'],
  tags: ['태그', 'Tags'],
  trending: ['요즘 뜨는 태그', 'Trending tags'],
  sort: ['정렬', 'Sort by'],
  relevance: ['관련도순', 'Relevance'],
  latest: ['최신순', 'Latest'],
  popular: ['인기순', 'Popular'],
  type: ['종류', 'Type'],
  anyType: ['모든 종류', 'All types'],
  found: (count: string, isMore: boolean) => [
    isMore ? `결과 ${count}개 이상` : `결과 ${count}개`,
    isMore ? `More than ${count} results` : count === '1' ? '1 result' : `${count} results`,
  ],
  nothing: (q: string) => [`‘${q}’에 대한 결과가 없어요`, `No results for “${q}”`],
  nothingHelp: [
    '철자를 확인하거나 더 짧은 검색어를 써 보세요.',
    'Check the spelling or try a shorter term.',
  ],
  allHidden: ['보여 드릴 수 있는 결과가 없어요', 'All results are hidden'],
  allHiddenHelp: [
    '차단하거나 뮤트한 사람의 글과 작품, 보지 않기로 한 작품은 결과에서 빼요.',
    'They come from people you blocked or muted, or are works you chose not to see.',
  ],
  begin: ['작품, 크리에이터, 태그를 찾아보세요', 'Find works, creators and tags'],
  beginHelp: [
    '따옴표로 묶으면 그 문장 그대로, 빼기표(-)를 붙이면 그 말을 뺀 결과를 찾아요.',
    'Use quotes for an exact phrase, and a minus sign to leave a word out.',
  ],
})
