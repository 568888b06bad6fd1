import { Link, useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  ChartColumn,
  EllipsisVertical,
  Eye,
  Pencil,
  Trash2,
} from 'lucide-react'
import type { Content } from '#sdk'
import { texts as archiveTexts, useRestore } from '../contents/Archived.tsx'
import { Thumbnail } from '../contents/Thumbnail.tsx'
import { texts as contentTexts } from '../contents/texts.ts'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Table } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './Library.module.css'
import { texts } from './texts.ts'

interface Props {
  contents: readonly Content[]
  /** Called when the author wants to archive a content item, or to erase an archived item. */
  onRemove: (content: Content) => void
}

/** The author's own contents: a table, or a list of cards on phones. */
export function ContentTable({ contents, onRemove }: Props) {
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
