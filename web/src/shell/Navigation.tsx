import { Link, useLocation } from '@tanstack/react-router'
import { Bell, MessageCircle, Plus, SwatchBook } from 'lucide-react'
import { type ReactNode, Suspense, startTransition, useState } from 'react'
import { useFace } from '../device/face.ts'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn, useViewer } from '../session/viewer.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Count } from '../ui/Badge.tsx'
import styles from './Navigation.module.css'
import { OWN_PLACES, PUBLIC_PLACES } from './places.ts'
import { texts } from './texts.ts'
import { useUnreadCount, useUnreadMessageCount } from './unread.ts'
import { lazyPart } from '../session/lazyPart.ts'
import { Avatar } from '../ui/Avatar.tsx'

export function Navigation() {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const unread: Partial<Record<string, ReactNode>> = {
    notifications: <Unread count={useUnreadCount()} target={t.unread} />,
    messages: <Unread count={useUnreadMessageCount()} target={t.unreadMessages} />,
  }
  return (
    <nav className={styles.navigation} aria-label={t.main}>
      <Logo className={styles.logo} />
      <ul className={styles.places}>
        {PUBLIC_PLACES.map(({ to, name, Icon, category }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles.place}
              activeOptions={{ exact: to === '/', includeSearch: false }}
            >
              <Icon data-category={category} />
              <span>{t[name]}</span>
            </Link>
          </li>
        ))}
      </ul>
      {isSignedIn && (
        <ul className={styles.own}>
          {OWN_PLACES.map(({ to, name, Icon }) => (
            <li key={to}>
              <Link to={to} className={styles.place}>
                <Icon />
                <span>{t[name]}</span>
                {unread[name]}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Foot isSignedIn={isSignedIn} />
    </nav>
  )
}

function Unread({ count, target }: { count: number; target: (count: number) => string }) {
  if (count === 0) return null
  return (
    <span className={styles.badge}>
      <Count count={count} label={target(count)} />
    </span>
  )
}

function Foot({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTexts(texts)
  return (
    <div className={styles.foot}>
      {isSignedIn ? (
        <LinkButton look="primary" wide to="/publish" aria-label={t.publish} icon={<Plus />}>
          {t.publish}
        </LinkButton>
      ) : (
        <SignInButton wide />
      )}
      <OwnMenu side="top" isLabelled />
      <p className={styles.about}>
        <Link to="/about">{t.about}</Link> · <Link to="/rules">{t.rules}</Link>
      </p>
    </div>
  )
}

export function TopBar() {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const unread = useUnreadCount()
  const messages = useUnreadMessageCount()
  return (
    <header className={styles.bar}>
      <Logo />
      <div className="row">
        {isSignedIn ? (
          <>
            <Link to="/publish" className={styles.icon} aria-label={t.publish}>
              <Plus />
            </Link>
            <Link
              to="/messages"
              className={styles.icon}
              aria-label={
                messages > 0 ? `${t.messages}, ${t.unreadMessages(messages)}` : t.messages
              }
            >
              <MessageCircle />
              {messages > 0 && <span className={styles.dot} />}
            </Link>
            <Link
              to="/notifications"
              className={styles.icon}
              aria-label={unread > 0 ? `${t.notifications}, ${t.unread(unread)}` : t.notifications}
            >
              <Bell />
              {unread > 0 && <span className={styles.dot} />}
            </Link>
          </>
        ) : (
          <SignInButton size="small" />
        )}
        <OwnMenu side="bottom" />
      </div>
    </header>
  )
}

const OwnItems = lazyPart(() => import('./OwnItems.tsx'), 'OwnItems')

interface Props {
  side: 'top' | 'bottom'
  isLabelled?: boolean
}

function OwnMenu({ side, isLabelled }: Props) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const [isRequested, setIsRequested] = useState(false)
  // The accessible name must contain the visible text.
  const whose = viewer && isLabelled ? `${t.menu}, ${viewer.display_name}` : t.menu
  const trigger = (
    <button
      type="button"
      className={styles.trigger}
      aria-label={viewer === null ? t.settings : whose}
      aria-haspopup="menu"
      // The transition keeps the button visible and focused until the menu's entries have loaded.
      onClick={() => startTransition(() => setIsRequested(true))}
    >
      {viewer ? (
        <Avatar user={viewer} size={28} />
      ) : viewer === null ? (
        <SwatchBook />
      ) : (
        <span className={styles.coming} />
      )}
      {isLabelled && (
        <span className={styles.name}>{viewer === null ? t.settings : viewer?.display_name}</span>
      )}
    </button>
  )
  return (
    <Suspense fallback={trigger}>
      {isRequested ? <OwnItems side={side} trigger={trigger} /> : trigger}
    </Suspense>
  )
}

function Logo({ className }: { className?: string | undefined }) {
  const { name, logo_url } = useFace()
  return (
    <Link to="/" className={`${styles.logoBox} ${className ?? ''}`} aria-label={name}>
      {logo_url ? (
        <img src={logo_url} alt="" />
      ) : (
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="9" fill="var(--accent)" />
          <path
            d="M10 24V9.500A1.500 1.500 0 0 1 11.500 8H17a5.500 5.500 0 0 1 0 11h-3.500"
            fill="none"
            stroke="var(--on-accent)"
            strokeWidth="3.200"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      )}
      <span>{name}</span>
    </Link>
  )
}

interface SignInButtonProps {
  size?: 'small'
  wide?: boolean
}

function SignInButton(look: SignInButtonProps) {
  const t = useTexts(texts)
  const { pathname } = useLocation()
  if (pathname === '/sign-in') return null
  return (
    <LinkButton {...look} look={pathname === '/sign-up' ? 'quiet' : 'primary'} to="/sign-in">
      {t.signIn}
    </LinkButton>
  )
}
