import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  AtSign,
  Bell,
  Check,
  CheckCheck,
  Heart,
  Info,
  type LucideIcon,
  MessageCircle,
  UserPlus,
} from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import type { Notification } from '#sdk'
import { byDay } from '../language/dates.ts'
import { useFormats } from '../language/formats.ts'
import { useLanguage } from '../language/look.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { Fresh, More } from '../lists/Entries.tsx'
import { entriesOf } from '../lists/paging.ts'
import { useUnreadCount } from '../shell/unread.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import { DayName, Time } from '../ui/Time.tsx'
import { Avatar } from '../ui/User.tsx'
import styles from './Notifications.module.css'
import { notificationsQuery, useRead, useReadAll } from './queries.ts'

export function Notifications() {
  const t = useTexts(texts)
  const formats = useFormats()
  const query = useInfiniteQuery(notificationsQuery(useLanguage()))
  const readAll = useReadAll()
  const notifications = entriesOf(query.data?.pages, (page) => page.notifications)
  const [newest] = notifications
  const unread = query.data?.pages[0]?.unread_count ?? 0
  return (
    <Page
      title={t.title}
      width="reading"
      {...(newest && { lead: unread > 0 ? t.unreadCount(formats.number(unread)) : t.allRead })}
      actions={
        newest && (
          <Button
            icon={<CheckCheck />}
            // Uses `aria-disabled`, because a disabled button would lose the focus.
            aria-disabled={unread === 0}
            onClick={() => unread > 0 && readAll.mutate(newest.id)}
          >
            {t.readAll}
          </Button>
        )
      }
    >
      {query.data && <Newer known={unread} refetch={query.refetch} />}
      {query.isPending && <Bones />}
      {query.isError && !query.data && (
        <Problem error={query.error} retry={() => void query.refetch()} />
      )}
      {newest && <Days notifications={notifications} />}
      {query.data && !newest && (
        <Empty icon={<Bell />} title={t.empty} action={t.publish} link={{ to: '/publish' }}>
          {t.emptyHelp}
        </Empty>
      )}
      <More query={query} />
    </Page>
  )
}

function Days({ notifications }: { notifications: Notification[] }) {
  return byDay(notifications).map(({ time, entries }) => (
    <section key={time} className={styles.day} aria-labelledby={`day-${time}`}>
      <h2 id={`day-${time}`} className={styles.heading}>
        <DayName time={time} />
      </h2>
      <ul className={styles.list}>
        {grouped(entries).map((group) => (
          <Entry key={group[0].id} group={group} />
        ))}
      </ul>
    </section>
  ))
}

type Group = [Notification, ...Notification[]]

/**
 * Groups the likes of a subject, read and unread likes separately. A group has the position of its newest notification.
 */
function grouped(entries: readonly Notification[]): Group[] {
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    const key = entry.type === 'like' && entry.link ? `${entry.link} ${entry.is_read}` : entry.id
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return [...groups.values()]
}

function Newer({ known, refetch }: { known: number; refetch: () => Promise<unknown> }) {
  const t = useTexts(texts)
  const count = useUnreadCount() - known
  return <Fresh label={count > 0 ? t.fresh(count) : undefined} show={refetch} />
}

function Bones() {
  return (
    <Loading>
      <div className={styles.heading}>
        <Skeleton width="96px" height="20px" />
      </div>
      <div className={styles.list}>
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index} className={styles.bones}>
            <Skeleton width="44px" height="44px" round />
            <span>
              <Skeleton width={index % 2 ? '62%' : '78%'} height="20px" />
              <Skeleton width="72px" height="16px" />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  )
}

const ICONS: Record<string, LucideIcon> = {
  like: Heart,
  comment: MessageCircle,
  follow: UserPlus,
  mention: AtSign,
  system: Info,
}

function Entry({ group }: { group: Group }) {
  const t = useTexts(texts)
  const read = useRead()
  const [{ type, actor, message, link, is_read, created_at }, ...others] = group
  const readAll = () => group.forEach(({ id }) => read(id))
  const Icon = ICONS[type] ?? Info
  const markRead = ({ currentTarget }: MouseEvent) => {
    // Moves the focus to the entry's link or the entry, because the pressed button disappears.
    const entry = currentTarget.closest('li')
    const next = entry?.querySelector('a') ?? entry
    next?.focus({ preventScroll: true })
    readAll()
  }
  return (
    <li className={styles.entry} tabIndex={-1}>
      <span className={styles.who}>
        {actor && <Avatar user={actor} size={44} />}
        <span className={actor ? styles.type : styles.system} data-type={type}>
          <Icon />
        </span>
      </span>
      <div className={styles.text}>
        <p className={styles.message}>
          <Leading link={link} onOpen={() => !is_read && readAll()}>
            <Sentence text={message || t.unknown} name={actor?.display_name} />
          </Leading>
        </p>
        <p className={styles.facts}>
          <span>{t.types[type as keyof typeof t.types] ?? t.types.system}</span>
          {others.length > 0 && <span>{t.others(others.length)}</span>}
          <Time time={created_at} />
        </p>
      </div>
      {!is_read && (
        <div className={styles.state}>
          <IconButton
            className={styles.mark ?? ''}
            icon={<Check />}
            label={t.markRead}
            onClick={markRead}
          />
          <span className={styles.dot} role="img" aria-label={t.unread} />
        </div>
      )}
    </li>
  )
}

/** Text with the actor's name in bold. The texts of both languages begin with the name. */
function Sentence({ text, name }: { text: string; name: string | undefined }) {
  if (!name || !text.startsWith(name)) return text
  return (
    <>
      <strong>{name}</strong>
      {text.slice(name.length)}
    </>
  )
}

function Leading({
  link,
  onOpen,
  children,
}: {
  link: string | null
  onOpen: () => void
  children: ReactNode
}) {
  if (!link?.startsWith('/') || link.startsWith('//')) return children
  const { pathname, search, hash } = new URL(link, location.origin)
  return (
    <Link
      to={pathname}
      {...(search && { search: Object.fromEntries(new URLSearchParams(search)) })}
      {...(hash && { hash: hash.slice(1) })}
      className={styles.link}
      onClick={onOpen}
      // Handles only the middle button, which opens the link in a new tab. The right button opens the context menu.
      onAuxClick={({ button }) => button === 1 && onOpen()}
    >
      {children}
    </Link>
  )
}

const texts = defineTexts({
  title: ['알림', 'Notifications'],
  readAll: ['모두 읽음으로 표시', 'Mark all as read'],
  allRead: ['모두 읽었어요', 'All read'],
  unreadCount: (count: string) => [
    `읽지 않은 알림 ${count}개`,
    count === '1' ? '1 unread notification' : `${count} unread notifications`,
  ],
  unread: ['읽지 않음', 'Unread'],
  markRead: ['읽음으로 표시', 'Mark as read'],
  fresh: (count: number) => [
    `새 알림 ${count}개 보기`,
    count === 1 ? 'Show 1 new notification' : `Show ${count} new notifications`,
  ],
  types: {
    like: ['좋아요', 'Like'],
    comment: ['댓글', 'Comment'],
    follow: ['팔로우', 'Follow'],
    mention: ['언급', 'Mention'],
    system: ['안내', 'Notice'],
  },
  others: (count: number) => [`외 ${count}명`, count === 1 ? 'and 1 other' : `and ${count} others`],
  unknown: ['새 소식이 있어요.', 'You have a new notification.'],
  empty: ['아직 알림이 없어요', 'No notifications yet'],
  emptyHelp: [
    '누군가 작품을 좋아하거나, 댓글을 달거나, 팔로우하면 여기에서 알려 드려요.',
    "We'll let you know when someone likes your work, comments or follows you.",
  ],
  publish: ['작품 올리기', 'Publish a work'],
})
