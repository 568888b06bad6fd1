import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, FilePen, Globe, LoaderCircle, Sparkles } from 'lucide-react'
import { useState } from 'react'
import type { Content } from '#sdk'
import { ArchiveDialog } from '../contents/ArchiveDialog.tsx'
import { InfiniteGrid } from '../contents/InfiniteGrid.tsx'
import { useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import choices from '../ui/Choices.module.css'
import { Empty } from '../ui/Empty.tsx'
import styles from './OwnContents.module.css'
import { ownContentsQuery, type Status } from './queries.ts'
import { texts } from './texts.ts'
import { ContentMenu } from './WorkMenu.tsx'

const STATUSES = [undefined, 'draft', 'processing', 'published', 'archived'] as const

/** List of the viewer's own content, optionally of one status. */
export function OwnContents({ status }: { status: Status | undefined }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(ownContentsQuery(status))
  const [leaving, setLeaving] = useState<Content>()
  return (
    <>
      <nav className={`${choices.choices} ${styles.states}`} aria-label={t.status}>
        {STATUSES.map((one) => (
          <Link
            key={one ?? 'all'}
            to="/library"
            search={{ status: one }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t[one ?? 'all']}
          </Link>
        ))}
      </nav>
      <InfiniteGrid
        query={query}
        isOwn
        corner={(content) => (
          <ContentMenu content={content} onArchive={() => setLeaving(content)} />
        )}
        empty={<NoContents status={status} />}
      />
      <ArchiveDialog content={leaving} onClose={() => setLeaving(undefined)} />
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
      icon={<Icon aria-hidden="true" />}
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
