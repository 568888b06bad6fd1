import { useQueryClient } from '@tanstack/react-query'
import { Megaphone, X } from 'lucide-react'
import type { Announcement } from '#sdk'
import { keep, loadJson } from '../device/storage.ts'
import { createStore, useStore } from '../device/store.ts'
import { useLanguage } from '../language/look.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { announcementsQuery } from '../session/site.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { IconButton } from '../ui/Button.tsx'
import styles from './AnnouncementBar.module.css'

const KEY = 'plaza.announcements'
const KEPT = 50
/**
 * Ids of the announcements that signed-out visitors have closed on this device. For signed-in users, the server stores
 * which ones they have closed.
 */
const closed = createStore<readonly unknown[]>(remembered())

function remembered(): readonly unknown[] {
  const ids = loadJson(KEY)
  return Array.isArray(ids) ? ids : []
}

/** Shows the newest announcement that the viewer has not closed. */
export function AnnouncementBar({ announcements }: { announcements: readonly Announcement[] }) {
  const t = useTexts(texts)
  const close = useClose()
  const ids = useStore(closed)
  const shown = announcements.find(({ id, is_read }) => !is_read && !ids.includes(id))
  if (!shown) return null
  const { title, body, link } = shown
  return (
    <aside className={styles.bar} aria-label={t.announcement}>
      <Megaphone aria-hidden="true" />
      <div className={styles.text}>
        {body ? (
          <details>
            <summary>{title}</summary>
            <p>{body}</p>
          </details>
        ) : (
          <strong>{title}</strong>
        )}
        {link && <a href={link}>{t.more}</a>}
      </div>
      <IconButton icon={<X aria-hidden="true" />} label={t.close} onClick={() => close(shown.id)} />
    </aside>
  )
}

function useClose() {
  const queries = useQueryClient()
  const isSignedIn = useIsSignedIn()
  const { queryKey } = announcementsQuery(useLanguage())
  return (id: string) => {
    document.getElementById('main')?.focus({ preventScroll: true })
    if (!isSignedIn) {
      closed.set([...closed.get(), id].slice(-KEPT))
      keep(KEY, JSON.stringify(closed.get()))
      return
    }
    queries.setQueryData(queryKey, (known) =>
      known?.map((entry) => (entry.id === id ? { ...entry, is_read: true } : entry)),
    )
    // Ignores failures. The announcement then shows again at the next visit.
    plaza.site.markAnnouncementRead(id).catch(() => {})
  }
}

const texts = defineTexts({
  announcement: ['공지', 'Announcement'],
  more: ['자세히 보기', 'Learn more'],
  close: ['공지 닫기', 'Close announcement'],
})
