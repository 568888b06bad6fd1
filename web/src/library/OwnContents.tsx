import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import {
  Archive,
  FilePen,
  Globe,
  LoaderCircle,
  MessagesSquare,
  Search,
  Sparkles,
} from 'lucide-react'
import { useState } from 'react'
import type { Content } from '#sdk'
import { PostList } from '../community/PostList.tsx'
import { ArchiveDialog, EraseDialog } from '../contents/Archived.tsx'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Empty } from '../ui/Problem.tsx'
import { SearchBox, TableSkeleton } from '../ui/Table.tsx'
import choices from '../ui/Tabs.module.css'
import { ContentTable } from './ContentTable.tsx'
import styles from './Library.module.css'
import { ownContentsQuery, ownPostsQuery, type Status } from './queries.ts'
import { texts } from './texts.ts'

/** Maximum characters of a search text, as on the server. */
const FIND_MAX = 100
const STATUSES = [undefined, 'draft', 'processing', 'published', 'archived'] as const

const route = getRouteApi('/library')

export function OwnContents() {
  const t = useTexts(texts)
  const { status, find } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(ownContentsQuery(status, find))
  const [removing, setRemoving] = useState<Content>()
  const archived = removing?.status === 'archived'
  const close = () => setRemoving(undefined)
  return (
    <>
      <div className={styles.bar}>
        <nav className={`${choices.choices} ${styles.states}`} aria-label={t.status}>
          {STATUSES.map((choice) => (
            <Link
              key={choice ?? 'all'}
              to="/library"
              search={{ status: choice, find }}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {t[choice ?? 'all']}
            </Link>
          ))}
        </nav>
        <SearchBox
          label={t.find}
          hint={t.findHint}
          maxLength={FIND_MAX}
          q={find ?? ''}
          onSearch={(text) =>
            void navigate({
              search: { status, find: text || undefined },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
      <Entries
        query={query}
        target={({ feeds }) => feeds}
        skeleton={<TableSkeleton rows={6} />}
        empty={
          find ? (
            <Empty icon={<Search />} title={t.notFound(find)} level={3} />
          ) : (
            <NoContents status={status} />
          )
        }
      >
        {(contents) => <ContentTable contents={contents} onRemove={setRemoving} />}
      </Entries>
      <ArchiveDialog content={archived ? undefined : removing} onClose={close} />
      <EraseDialog content={archived ? removing : undefined} onClose={close} />
    </>
  )
}

function NoContents({ status }: { status: Status | undefined }) {
  const t = useTexts(texts)
  const { Icon, title, help } = {
    all: { Icon: Sparkles, title: t.noContents, help: t.noContentsHelp },
    draft: { Icon: FilePen, title: t.noDrafts, help: t.noDraftsHelp },
    processing: { Icon: LoaderCircle, title: t.noProcessing, help: t.noProcessingHelp },
    published: { Icon: Globe, title: t.noPublished, help: t.noPublishedHelp },
    archived: { Icon: Archive, title: t.noArchived, help: t.noArchivedHelp },
  }[status ?? 'all']
  return (
    <Empty
      icon={<Icon />}
      title={title}
      level={3}
      action={status !== 'archived' && t.publish}
      link={{ to: '/publish' }}
    >
      {help}
    </Empty>
  )
}

export function OwnPosts() {
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
