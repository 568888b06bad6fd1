import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { MessagesSquare, Sparkles } from 'lucide-react'
import { Suspense } from 'react'
import type { Creator } from '#sdk'
import type { PostListProps } from '../community/Post.tsx'
import { GridSkeleton, InfiniteGrid, useContentList } from '../contents/Feed.tsx'
import { Lead, LeadSkeleton } from '../contents/Lead.tsx'
import { type ContentType, creatorContentsQuery, TYPES } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { creatorPostsQuery, featuredQuery } from '../creators/queries.ts'
import { texts } from '../creators/texts.ts'
import { lazyPart } from '../device/connected.ts'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Nearby } from '../ui/Page.tsx'
import { Empty } from '../ui/Problem.tsx'
import choices from '../ui/Tabs.module.css'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import styles from './Profile.module.css'

const PostList = lazyPart<PostListProps, 'PostList'>(
  () => import('../community/Post.tsx'),
  'PostList',
)

const route = getRouteApi('/creators/$handle')

/** Minimum number of a creator's contents for the profile to feature one of them. */
const FEATURED_FROM = 4

type Contents = ReturnType<typeof useContentList>

interface Props {
  creator: Creator
  /** Latest contents of all types. */
  latest: Contents
}

/** A creator's contents by type and the creator's posts, each in a tab with its own URL. */
export function ProfileLists({ creator, latest }: Props) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const { tab, sort } = route.useSearch()
  const { handle, content_count } = creator
  const isFirstList = tab === undefined && sort === undefined
  const hasFeatured = isFirstList && content_count >= FEATURED_FROM
  const featured = useQuery({ ...featuredQuery(handle), enabled: hasFeatured })
  const first = hasFeatured ? featured.data?.[0] : undefined
  const tabs = [undefined, ...typesOf(latest, tab), 'posts' as const]
  const orders = [undefined, 'popular'] as const
  const here = { to: '/creators/$handle', params: { handle }, resetScroll: false } as const
  return (
    <section>
      <Tabs label={t.lists}>
        {tabs.map((name) => (
          <Tab
            key={name ?? 'all'}
            {...here}
            // The link of the open tab contains the chosen order, because the tab is active only if its link matches
            // the URL.
            search={{ tab: name, sort: name === tab ? sort : undefined }}
          >
            {t.tabs[name ?? 'all']}
          </Tab>
        ))}
      </Tabs>
      {hasFeatured && featured.isPending && <LeadSkeleton />}
      {first && <Lead content={first} label={t.featured} hidesCreator />}
      {tab === 'posts' ? (
        <>
          <h2 className="unseen">{t.tabs.posts}</h2>
          <Suspense>
            <Posts creator={creator} />
          </Suspense>
        </>
      ) : (
        <>
          <div className={styles.bar}>
            <h2>{tab === undefined ? t.contents : t.tabs[tab]}</h2>
            <nav className={choices.choices} aria-label={words.sort}>
              {orders.map((order) => (
                <Link
                  key={order ?? 'latest'}
                  {...here}
                  search={{ tab, sort: order }}
                  activeOptions={{ exact: true, includeSearch: true }}
                >
                  {words[order ?? 'latest']}
                </Link>
              ))}
            </nav>
          </div>
          {hasFeatured && featured.isPending ? (
            <GridSkeleton />
          ) : isFirstList ? (
            <Nearby>
              <ContentGrid creator={creator} query={latest} without={first?.id} />
            </Nearby>
          ) : (
            <FilteredContents creator={creator} type={tab} sort={sort} />
          )}
        </>
      )}
    </section>
  )
}

/**
 * Returns the content types that have a tab: the types in the list, and the type of the open tab. Returns all types if
 * the list is incomplete or failed to load.
 */
function typesOf({ data, isPending, hasNextPage }: Contents, tab: string | undefined) {
  // While the list loads, returns only the open tab, so that no tab disappears afterwards.
  const isKnown = isPending || (data && !hasNextPage)
  const found = data?.pages.flatMap(({ feeds }) => feeds.map(({ type }) => type))
  return isKnown ? TYPES.filter((type) => type === tab || found?.includes(type)) : TYPES
}

interface FilteredProps {
  creator: Creator
  type: ContentType | undefined
  sort: 'popular' | undefined
}

function FilteredContents({ creator, type, sort }: FilteredProps) {
  const query = useContentList(creatorContentsQuery(creator.handle, { type, sort }))
  return <ContentGrid creator={creator} query={query} />
}

interface GridProps {
  creator: Creator
  query: Contents
  without?: string | undefined
}

function ContentGrid({ creator, ...list }: GridProps) {
  return <InfiniteGrid {...list} hidesCreator empty={<NoContents creator={creator} />} />
}

function NoContents({ creator: { handle, display_name, content_count } }: { creator: Creator }) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const isOwn = useViewer()?.handle === handle
  if (content_count > 0) return <Empty icon={<Sparkles />} title={words.nothing} level={3} />
  return (
    <Empty
      icon={<Sparkles />}
      title={isOwn ? t.nothingOfYours : t.nothingYet(display_name)}
      level={3}
      action={isOwn && t.publish}
      link={{ to: '/publish' }}
    >
      {isOwn ? t.nothingOfYoursHelp : t.nothingHelp}
    </Empty>
  )
}

function Posts({ creator: { handle, display_name } }: { creator: Creator }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(creatorPostsQuery(handle))
  return (
    <PostList
      query={query}
      empty={<Empty icon={<MessagesSquare />} title={t.noPosts(display_name)} level={3} />}
    />
  )
}
