import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  ChartColumn,
  CornerLeftUp,
  EllipsisVertical,
  Eye,
  FilePen,
  Globe,
  LoaderCircle,
  MessagesSquare,
  Pencil,
  Sparkles,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import type { Content } from '#sdk'
import { Post, PostsSkeleton } from '../community/Post.tsx'
import { ArchiveDialog, texts as archiveTexts } from '../contents/ArchiveDialog.tsx'
import { EraseDialog, texts as archivedTexts, useRestore } from '../contents/Archived.tsx'
import { InfiniteGrid } from '../contents/Grid.tsx'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu } from '../ui/Menu.tsx'
import choices from '../ui/Tabs.module.css'
import styles from './Library.module.css'
import { ownContentsQuery, ownPostsQuery, type Status } from './queries.ts'
import { texts } from './texts.ts'

const STATUSES = [undefined, 'draft', 'processing', 'published', 'archived'] as const

export function OwnContents({ status }: { status: Status | undefined }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(ownContentsQuery(status))
  const [leaving, setLeaving] = useState<Content>()
  const archived = leaving?.status === 'archived'
  const close = () => setLeaving(undefined)
  return (
    <>
      <nav className={`${choices.choices} ${styles.states}`} aria-label={t.status}>
        {STATUSES.map((choice) => (
          <Link
            key={choice ?? 'all'}
            to="/library"
            search={{ status: choice }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t[choice ?? 'all']}
          </Link>
        ))}
      </nav>
      <InfiniteGrid
        query={query}
        isOwn
        corner={(content) => <ContentMenu content={content} onLeave={() => setLeaving(content)} />}
        empty={<NoContents status={status} />}
      />
      <ArchiveDialog content={archived ? undefined : leaving} onClose={close} />
      <EraseDialog content={archived ? leaving : undefined} onClose={close} />
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
      action={
        status !== 'archived' && (
          <LinkButton look="primary" to="/publish">
            {t.publish}
          </LinkButton>
        )
      }
    >
      {help}
    </Empty>
  )
}

interface Props {
  content: Content
  /** Opens the dialog that archives the content, or erases archived content. */
  onLeave: () => void
}

function ContentMenu({ content: { id, title, status }, onLeave }: Props) {
  const t = useTexts(texts)
  const words = { ...useTexts(archiveTexts), ...useTexts(archivedTexts) }
  const { mutate: restore } = useRestore()
  const view = { label: t.view, icon: <Eye />, to: `/contents/${id}` }
  const navigate = useNavigate()
  const stats = {
    label: t.stats,
    icon: <ChartColumn />,
    onClick: () => void navigate({ to: '/library', search: { list: 'stats', content: id } }),
  }
  const edit = { label: t.edit, icon: <Pencil />, to: `/publish/${id}` }
  const archive = {
    label: words.archive,
    icon: <Archive />,
    onClick: onLeave,
    isDangerous: true,
  }
  const back = {
    label: words.restore,
    icon: <ArchiveRestore />,
    onClick: () => restore(id),
  }
  const erase = {
    label: words.erase,
    icon: <Trash2 />,
    onClick: onLeave,
    isDangerous: true,
  }
  return (
    <Menu
      trigger={<IconButton icon={<EllipsisVertical />} label={t.more(title)} />}
      groups={status === 'archived' ? [[view, back], [erase]] : [[edit, view, stats], [archive]]}
    />
  )
}

export function OwnPosts() {
  const query = useInfiniteQuery(ownPostsQuery())
  return (
    <div className={styles.column}>
      <Entries
        query={query}
        target={(page) => page.posts}
        skeleton={<PostsSkeleton />}
        empty={<NoPosts />}
      >
        {(posts) => (
          <ul className={styles.posts}>
            {posts.map((post) => (
              <li key={post.id}>
                {post.parent_id && <Answered id={post.parent_id} />}
                <Post post={post} level={3} />
              </li>
            ))}
          </ul>
        )}
      </Entries>
    </div>
  )
}

function Answered({ id }: { id: string }) {
  const t = useTexts(texts)
  return (
    <Link to="/posts/$id" params={{ id }} className={styles.answered}>
      <CornerLeftUp />
      {t.answered}
    </Link>
  )
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
