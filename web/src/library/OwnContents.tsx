import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  ChartColumn,
  EllipsisVertical,
  Eye,
  FilePen,
  Globe,
  LoaderCircle,
  Pencil,
  Search,
  Sparkles,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import type { Content } from '#sdk'
import {
  ArchiveDialog,
  EraseDialog,
  texts as archiveTexts,
  useRestore,
} from '../contents/Archived.tsx'
import { Thumbnail } from '../contents/Card.tsx'
import { texts as contentTexts } from '../contents/texts.ts'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Dialog.tsx'
import { Empty } from '../ui/Problem.tsx'
import { SearchBox, Table, TableSkeleton } from '../ui/Table.tsx'
import choices from '../ui/Tabs.module.css'
import { Time } from '../ui/Time.tsx'
import styles from './Library.module.css'
import { ownContentsQuery, type Status } from './queries.ts'
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

interface TableProps {
  contents: readonly Content[]
  /** Called when the author wants to archive a content item, or to erase an archived item. */
  onRemove: (content: Content) => void
}

/** The author's own contents: a table, or a list of cards on phones. */
function ContentTable({ contents, onRemove }: TableProps) {
  const t = useTexts(texts)
  return (
    <Table
      label={t.contents}
      heads={[t.content, t.status, t.audience, t.date, t.seen, t.likes, t.comments]}
      actions={t.actions}
      className={styles.works}
    >
      {contents.map((content) => (
        <Row key={content.id} content={content} onRemove={() => onRemove(content)} />
      ))}
    </Table>
  )
}

function Row({ content, onRemove }: MenuProps) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const formats = useFormats()
  const { id, type, title, status, visibility, publish_at, published_at, created_at } = content
  const lang = useLangOf(title)
  return (
    <tr>
      <td>
        <div className={styles.work}>
          <div className={styles.picture}>
            {/* Omits the duration, because the picture is too small for a label. */}
            <Thumbnail content={content} width="8rem" corner={false} />
          </div>
          <div className={styles.name}>
            <Link
              to={status === 'archived' ? '/contents/$id' : '/publish/$id'}
              params={{ id }}
              className={styles.title}
              lang={lang}
            >
              {title}
            </Link>
            <p className="fine">{words.type[type as keyof typeof words.type] ?? type}</p>
          </div>
        </div>
      </td>
      <td>
        <Status content={content} />
      </td>
      <td className={styles.fact}>
        {t.audiences[visibility as keyof typeof t.audiences] ?? visibility}
      </td>
      <td className={styles.fact}>
        {publish_at ? formats.dateTime(publish_at) : <Time time={published_at ?? created_at} />}
      </td>
      <td className={styles.fact}>
        {formats.number(type === 'game' ? content.play_count : content.view_count)}
      </td>
      <td className={styles.fact}>{formats.number(content.like_count)}</td>
      <td className={styles.fact}>{formats.number(content.comment_count)}</td>
      <td>
        <ContentMenu content={content} onRemove={onRemove} />
      </td>
    </tr>
  )
}

/** Status of a content item: plain text if it is published and not hidden by moderators, otherwise a badge. */
function Status({ content: { status, moderation, publish_at } }: { content: Content }) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  if (moderation) return <Badge tone="warn">{words.hidden}</Badge>
  if (status === 'published') return t.published
  if (status === 'draft' && publish_at) return <Badge tone="accent">{t.scheduled}</Badge>
  return <Badge>{words.status[status as keyof typeof words.status] ?? status}</Badge>
}

interface MenuProps {
  content: Content
  onRemove: () => void
}

function ContentMenu({ content: { id, title, status }, onRemove }: MenuProps) {
  const t = useTexts(texts)
  const words = useTexts(archiveTexts)
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
    onClick: onRemove,
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
    onClick: onRemove,
    isDangerous: true,
  }
  return (
    <Menu
      trigger={<IconButton icon={<EllipsisVertical />} label={t.more(title)} />}
      groups={status === 'archived' ? [[view, back], [erase]] : [[edit, view, stats], [archive]]}
    />
  )
}
