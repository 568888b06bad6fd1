/** The rail at the left; on a phone the bar at the bottom, with the public places only. */
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Count } from '../ui/Count.tsx'
import { Logo } from './Logo.tsx'
import styles from './Navigation.module.css'
import { OwnMenu } from './OwnMenu.tsx'
import { OWN_PLACES, PUBLIC_PLACES } from './places.ts'
import { texts } from './texts.ts'
import { useUnreadCount } from './unread.ts'

export function Navigation() {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const unread = useUnreadCount()
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
                {name === 'notifications' && unread > 0 && (
                  <span className={styles.badge}>
                    <Count count={unread} label={t.unread(unread)} />
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Foot isSignedIn={isSignedIn} />
    </nav>
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
        <LinkButton look="primary" wide to="/sign-in">
          {t.signIn}
        </LinkButton>
      )}
      <OwnMenu side="top" isLabelled />
    </div>
  )
}
