/** Main navigation, on the left. On a phone it is a bar at the bottom with only the public pages. */
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Count } from '../ui/Count.tsx'
import { Logo } from './Logo.tsx'
import styles from './Navigation.module.css'
import { OwnMenu } from './OwnMenu.tsx'
import { OWN_PLACES, PUBLIC_PLACES } from './places.ts'
import { SignInButton } from './SignInButton.tsx'
import { texts } from './texts.ts'
import { useUnreadCount, useUnreadMessageCount } from './unread.ts'

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
              <Icon aria-hidden="true" data-category={category} />
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
                <Icon aria-hidden="true" />
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
        <LinkButton
          look="primary"
          wide
          to="/publish"
          aria-label={t.publish}
          icon={<Plus aria-hidden="true" />}
        >
          {t.publish}
        </LinkButton>
      ) : (
        <SignInButton wide />
      )}
      <OwnMenu side="top" isLabelled />
    </div>
  )
}
