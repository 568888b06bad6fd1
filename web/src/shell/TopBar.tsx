import { Link, useLocation } from '@tanstack/react-router'
import { Bell, MessageCircle, Plus, Search, SwatchBook } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useFace } from '../device/face.ts'
import { useTexts } from '../language/texts.ts'
import { lazyPart } from '../device/connected.ts'
import { useIsSignedIn, useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/User.tsx'
import { Count } from '../ui/Badge.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { SiteMark } from '../ui/SiteMark.tsx'
import { SearchField } from './SearchField.tsx'
import styles from './TopBar.module.css'
import { texts } from './texts.ts'
import { useUnreadCount, useUnreadIcon, useUnreadMessageCount, useUnreadTitle } from './unread.ts'

/** Bar above every page: logo, search field, and the links and menu of the viewer. */
export function TopBar() {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  return (
    <header className={styles.bar}>
      <Logo />
      <div className={styles.search}>
        <SearchField />
      </div>
      <div className={styles.actions}>
        <Link to="/search" className={`${styles.icon} ${styles.toSearch}`} aria-label={t.search}>
          <Search />
        </Link>
        {isSignedIn ? <OwnLinks /> : <SignInButton />}
        <OwnMenu />
      </div>
    </header>
  )
}

function OwnLinks() {
  const t = useTexts(texts)
  const unread = useUnreadCount()
  const messages = useUnreadMessageCount()
  useUnreadTitle(unread + messages)
  useUnreadIcon(unread + messages)
  return (
    <>
      <LinkButton to="/publish" className={styles.publish} aria-label={t.publish} icon={<Plus />}>
        {t.publish}
      </LinkButton>
      <IconLink
        to="/messages"
        name={t.messages}
        icon={<MessageCircle />}
        count={messages}
        label={t.unreadMessages(messages)}
      />
      <IconLink
        to="/notifications"
        name={t.notifications}
        icon={<Bell />}
        count={unread}
        label={t.unread(unread)}
      />
    </>
  )
}

interface IconLinkProps {
  to: '/messages' | '/notifications'
  name: string
  icon: ReactNode
  count: number
  /** Description of the count for screen readers, such as the number of unread messages. */
  label: string
}

function IconLink({ to, name, icon, count, label }: IconLinkProps) {
  return (
    <Link to={to} className={styles.icon}>
      {icon}
      <span className="unseen">{name}</span>
      {count > 0 && (
        <span className={styles.badge}>
          <Count count={count} label={label} />
        </span>
      )}
    </Link>
  )
}

const OwnItems = lazyPart(() => import('./OwnItems.tsx'), 'OwnItems')

function OwnMenu() {
  const t = useTexts(texts)
  const viewer = useViewer()
  const [isUsed, setIsUsed] = useState(false)
  const trigger = (
    <button
      type="button"
      className={styles.trigger}
      aria-label={viewer ? `${t.menu}, ${viewer.display_name}` : t.settings}
      aria-haspopup="menu"
      // The button stays visible and focused until the menu's entries have loaded.
      onClick={() => void OwnItems.preload().then(() => setIsUsed(true))}
    >
      {viewer ? (
        <Avatar user={viewer} size={32} />
      ) : viewer === null ? (
        <SwatchBook />
      ) : (
        <span className={styles.coming} />
      )}
    </button>
  )
  return <Suspense fallback={trigger}>{isUsed ? <OwnItems trigger={trigger} /> : trigger}</Suspense>
}

function Logo() {
  const { name } = useFace()
  return (
    <Link to="/" className={styles.logo} aria-label={name}>
      <SiteMark />
      <span className="clip">{name}</span>
    </Link>
  )
}

function SignInButton() {
  const t = useTexts(texts)
  const { pathname } = useLocation()
  if (pathname === '/sign-in') return null
  return (
    <LinkButton size="small" look={pathname === '/sign-up' ? 'quiet' : 'primary'} to="/sign-in">
      {t.signIn}
    </LinkButton>
  )
}
