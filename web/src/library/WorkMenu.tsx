import { Archive, EllipsisVertical, Eye, Pencil } from 'lucide-react'
import type { Content } from '#sdk'
import { texts as archiveTexts } from '../contents/archiveTexts.ts'
import { useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu } from '../ui/Menu.tsx'
import { texts } from './texts.ts'

interface Props {
  content: Content
  onArchive: () => void
}

/** Menu of the viewer's own content. Archived content has only an entry to view it. */
export function ContentMenu({ content: { id, title, status }, onArchive }: Props) {
  const t = useTexts(texts)
  const words = useTexts(archiveTexts)
  const view = { label: t.view, icon: <Eye aria-hidden="true" />, to: `/contents/${id}` }
  const edit = { label: t.edit, icon: <Pencil aria-hidden="true" />, to: `/publish/${id}` }
  const archive = {
    label: words.archive,
    icon: <Archive aria-hidden="true" />,
    onClick: onArchive,
    isDangerous: true,
  }
  return (
    <Menu
      trigger={<IconButton icon={<EllipsisVertical aria-hidden="true" />} label={t.more(title)} />}
      groups={status === 'archived' ? [[view]] : [[edit, view], [archive]]}
    />
  )
}
