import { Link } from '@tanstack/react-router'
import { AtSign, Check, Heart, Info, type LucideIcon, MessageCircle, UserPlus } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import type { Notification } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './Entry.module.css'
import { useRead } from './queries.ts'
import { texts } from './texts.ts'

const ICONS: Record<string, LucideIcon> = {
  like: Heart,
  comment: MessageCircle,
  follow: UserPlus,
  mention: AtSign,
  system: Info,
}

/**
 * A notification. Following its link marks it as read. A notification without a link has a button for that.
 */
export function Entry({ notification }: { notification: Notification }) {
  const t = useTexts(texts)
  const read = useRead()
  const { id, type, actor, message, link, is_read, created_at } = notification
  const Icon = ICONS[type] ?? Info
  const markRead = ({ currentTarget }: MouseEvent) => {
    // The focused button disappears when it is pressed, so the entry takes the focus.
    const entry = currentTarget.closest('li')
    const next = entry?.querySelector('a') ?? entry
    next?.focus({ preventScroll: true })
    read(id)
  }
  return (
    <li className={`${styles.entry} ${is_read ? '' : styles.unread}`} tabIndex={-1}>
      <span className={styles.who}>
        {actor && <Avatar person={actor} size={44} />}
        <span className={actor ? styles.type : styles.system} data-type={type}>
          <Icon aria-hidden="true" />
        </span>
      </span>
      <div className={styles.text}>
        <p className={styles.message}>
          <Leading link={link} onOpen={() => !is_read && read(id)}>
            {message || t.unknown}
          </Leading>
        </p>
        <p className={styles.facts}>
          <span>{t.types[type as keyof typeof t.types] ?? t.types.system}</span>
          <Time at={created_at} />
        </p>
      </div>
      {!is_read && (
        <div className={styles.state}>
          <IconButton
            className={styles.mark ?? ''}
            icon={<Check aria-hidden="true" />}
            label={t.markRead}
            onClick={markRead}
          />
          <span className={styles.dot} role="img" aria-label={t.unread} />
        </div>
      )}
    </li>
  )
}

/** Renders a link if the target is a path of this client. Otherwise renders only the text. */
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
  const [path = '/', hash] = link.split('#')
  return (
    <Link
      to={path}
      {...(hash && { hash })}
      className={styles.link}
      onClick={onOpen}
      // Only the middle button opens the link in a new tab. The right button opens a menu.
      onAuxClick={({ button }) => button === 1 && onOpen()}
    >
      {children}
    </Link>
  )
}
