import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Bookmark, Heart, MessagesSquare, Plus } from 'lucide-react'
import type { Content } from '#sdk'
import { PostList } from '../community/Post.tsx'
import { InfiniteGrid } from '../contents/Feed.tsx'
import { useBookmark, useLike } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { IconButton, LinkButton } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { OwnContents } from './OwnContents.tsx'
import { Stats } from './Stats.tsx'
import { ownPostsQuery, type SavedList, savedQuery } from './queries.ts'
import { texts } from './texts.ts'

const LISTS = ['stats', 'likes', 'bookmarks', 'posts'] as const
/** A tab is also active while the URL contains filters of its list. */
const ACTIVE = { exact: false, includeSearch: true }

const route = getRouteApi('/library')

export function Library() {
  const t = useTexts(texts)
  const { list, status, find } = route.useSearch()
  return (
    <Page
      title={t.title}
      actions={
        <LinkButton to="/publish" icon={<Plus />}>
          {t.publish}
        </LinkButton>
      }
    >
      <Tabs label={t.parts}>
        {/* Copies the filters into the link, so that the tab is also active while the list is filtered. */}
        <Tab to="/library" search={list ? {} : { status, find }}>
          {t.contents}
        </Tab>
        {LISTS.map((name) => (
          <Tab key={name} to="/library" search={{ list: name }} activeOptions={ACTIVE}>
            {t[name]}
          </Tab>
        ))}
      </Tabs>
      <h2 className="unseen">{t[list ?? 'contents']}</h2>
      {list === undefined && <OwnContents />}
      {list === 'stats' && <Stats />}
      {(list === 'likes' || list === 'bookmarks') && <SavedContents key={list} list={list} />}
      {list === 'posts' && <OwnPosts />}
    </Page>
  )
}

const LOOKS = {
  likes: { Icon: Heart, Corner: LikeCorner },
  bookmarks: { Icon: Bookmark, Corner: BookmarkCorner },
}

/**
 * Content that the viewer liked or bookmarked. Removed items remain until the viewer leaves the page, so that
 * removing can be undone.
 */
function SavedContents({ list }: { list: SavedList }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(savedQuery(list))
  const { Icon, Corner } = LOOKS[list]
  return (
    <InfiniteGrid
      query={query}
      corner={(content) => <Corner content={content} />}
      empty={
        <Empty
          icon={<Icon />}
          title={t.nothingSaved[list]}
          level={3}
          action={t.look}
          link={{ to: '/', search: { sort: 'popular' } }}
        >
          {t.keepHelp[list]}
        </Empty>
      }
    />
  )
}

function LikeCorner({ content }: { content: Content }) {
  const t = useTexts(texts)
  return (
    <IconButton
      icon={<Heart />}
      label={t.like(content.title)}
      pressed={content.is_liked}
      onClick={useLike(content)}
    />
  )
}

function BookmarkCorner({ content }: { content: Content }) {
  const t = useTexts(texts)
  return (
    <IconButton
      icon={<Bookmark />}
      label={t.bookmark(content.title)}
      pressed={content.is_bookmarked}
      onClick={useBookmark(content)}
    />
  )
}

function OwnPosts() {
  const query = useInfiniteQuery(ownPostsQuery())
  return <PostList query={query} empty={<NoPosts />} />
}

function NoPosts() {
  const t = useTexts(texts)
  return (
    <Empty
      icon={<MessagesSquare />}
      title={t.noPosts}
      level={3}
      action={t.write}
      link={{ to: '/community' }}
    >
      {t.noPostsHelp}
    </Empty>
  )
}
