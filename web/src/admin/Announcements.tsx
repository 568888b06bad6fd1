import { useInfiniteQuery } from '@tanstack/react-query'
import { Megaphone, Plus } from 'lucide-react'
import { useState } from 'react'
import type { InputOf, LocalAnnouncement } from '#sdk'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Table, TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import {
  AdminForm,
  adminPage,
  Ask,
  bindTo,
  fromLocal,
  LineField,
  LocalField,
  MomentField,
  toLocal,
  useAct,
} from './adminParts.tsx'
import { texts } from './siteTexts.ts'

const announcementsQuery = byPages(['admin', 'announcements'], (page, signal) =>
  plaza.site.listAllAnnouncements({ page, per_page: 50 }, { signal }),
)

export const Announcements = adminPage('announcements', Shown)

function Shown() {
  const t = useTexts(texts)
  const query = useInfiniteQuery(announcementsQuery)
  const [edited, setEdited] = useState<LocalAnnouncement | 'new'>()
  const close = () => setEdited(undefined)
  if (edited) {
    return <Editor announcement={edited === 'new' ? undefined : edited} onClose={close} />
  }
  const create = (
    <Button look="primary" icon={<Plus />} onClick={() => setEdited('new')}>
      {t.newAnnouncement}
    </Button>
  )
  return (
    <Entries
      query={query}
      target={({ announcements }) => announcements}
      skeleton={<TableSkeleton />}
      empty={
        <Empty icon={<Megaphone />} title={t.noAnnouncements} action={create}>
          {t.noAnnouncementsHelp}
        </Empty>
      }
    >
      {(announcements) => (
        <div className={styles.panels}>
          <div>{create}</div>
          <Table
            label={t.announcements}
            heads={[t.title, t.state, t.starts, t.ends]}
            actions={t.actions}
          >
            {announcements.map((announcement) => (
              <Row
                key={announcement.id}
                announcement={announcement}
                onEdit={() => setEdited(announcement)}
              />
            ))}
          </Table>
        </div>
      )}
    </Entries>
  )
}

interface RowProps {
  announcement: LocalAnnouncement
  onEdit: () => void
}

function Row({ announcement: { id, title, starts_at, ends_at }, onEdit }: RowProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const now = Date.now()
  const state =
    Date.parse(starts_at) > now
      ? 'planned'
      : ends_at && Date.parse(ends_at) <= now
        ? 'over'
        : 'current'
  return (
    <tr>
      <td className={styles.reason}>{title[language] ?? title.ko ?? title.en}</td>
      <td>
        <Badge tone={state === 'current' ? 'good' : 'plain'}>{t.announcementStates[state]}</Badge>
      </td>
      <td className={styles.nowrap}>
        <Time time={starts_at} />
      </td>
      <td className={styles.nowrap}>{ends_at ? <Time time={ends_at} /> : t.noEnd}</td>
      <td>
        <div className={styles.buttons}>
          <Button size="small" onClick={onEdit}>
            {t.edit}
          </Button>
          <Ask
            label={t.delete}
            title={t.deleteAnnouncementAsk}
            description={t.deleteHelp}
            done={t.announcementDeleted}
            isDangerous
            act={() => plaza.site.deleteAnnouncement(id)}
          />
        </div>
      </td>
    </tr>
  )
}

interface EditorProps {
  announcement: LocalAnnouncement | undefined
  onClose: () => void
}

function Editor({ announcement, onClose }: EditorProps) {
  const t = useTexts(texts)
  const [draft, setDraft] = useState(() => ({
    title: toLocal(announcement?.title),
    body: toLocal(announcement?.body),
    link: announcement?.link ?? '',
    starts_at: announcement?.starts_at ?? null,
    ends_at: announcement?.ends_at ?? null,
  }))
  const { mutate, isPending, error } = useAct(
    (input: InputOf<'createAnnouncement'>) =>
      announcement
        ? plaza.site.updateAnnouncement(announcement.id, input)
        : plaza.site.createAnnouncement(input),
    announcement ? t.announcementSaved : t.announcementCreated,
    onClose,
  )
  const bind = bindTo(draft, setDraft, error)
  const submit = () =>
    mutate({
      title: fromLocal(draft.title),
      body: fromLocal(draft.body),
      link: draft.link.trim() || null,
      ends_at: draft.ends_at,
      ...(draft.starts_at && { starts_at: draft.starts_at }),
    })
  return (
    <Panel title={announcement ? t.editAnnouncement : t.newAnnouncement}>
      <AdminForm
        error={error}
        fields={['title', 'body', 'link', 'starts_at', 'ends_at']}
        submit={announcement ? t.save : t.publish}
        isBusy={isPending}
        onSubmit={submit}
        onCancel={onClose}
      >
        <LocalField {...bind('title')} label={t.title} max={100} />
        <LocalField {...bind('body')} label={t.announcementBody} max={2000} rows={4} />
        <LineField {...bind('link')} label={t.link} hint={t.linkHint} maxLength={1000} />
        <div className={styles.pair}>
          <MomentField {...bind('starts_at')} label={t.startsOptional} hint={t.startsHint} />
          <MomentField {...bind('ends_at')} label={t.endsOptional} hint={t.endsHint} />
        </div>
      </AdminForm>
    </Panel>
  )
}
