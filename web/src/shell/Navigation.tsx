import { Link } from '@tanstack/react-router'
import {
  Bookmark,
  Clapperboard,
  Gamepad2,
  House,
  type LucideIcon,
  Sparkles,
  Users,
} from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import styles from './Shell.module.css'
import { texts } from './texts.ts'

interface Place {
  to: '/' | '/hype' | '/swipe' | '/jump' | '/community' | '/library'
  name: 'home' | 'hype' | 'swipe' | 'jump' | 'community' | 'library'
  Icon: LucideIcon
  category?: 'hype' | 'swipe' | 'jump'
}

export const PUBLIC_PLACES: readonly Place[] = [
  { to: '/', name: 'home', Icon: House },
  { to: '/hype', name: 'hype', Icon: Sparkles, category: 'hype' },
  { to: '/swipe', name: 'swipe', Icon: Clapperboard, category: 'swipe' },
  { to: '/jump', name: 'jump', Icon: Gamepad2, category: 'jump' },
  { to: '/community', name: 'community', Icon: Users },
]

/** Link to the library for signed-in users: in the rail of wide windows, and in the account menu on phones. */
const LIBRARY: Place = { to: '/library', name: 'library', Icon: Bookmark }

export const OWN_PLACES = [
  { to: '/notifications', name: 'notifications' },
  { to: '/messages', name: 'messages' },
  LIBRARY,
] as const

/** The rail at the side of wide windows, and the bar at the bottom of narrow ones. */
export function Navigation() {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  return (
    <nav className={styles.navigation} aria-label={t.main}>
      <ul className={styles.places}>
        {PUBLIC_PLACES.map((place) => (
          <PlaceLink key={place.to} {...place} />
        ))}
      </ul>
      {isSignedIn && (
        <ul className={styles.own}>
          <PlaceLink {...LIBRARY} />
        </ul>
      )}
      <p className={styles.about}>
        <Link to="/about">{t.about}</Link> · <Link to="/rules">{t.rules}</Link>
      </p>
    </nav>
  )
}

function PlaceLink({ to, name, Icon, category }: Place) {
  const t = useTexts(texts)
  return (
    <li>
      <Link
        to={to}
        className={styles.navLink}
        activeOptions={{ exact: to === '/', includeSearch: false }}
      >
        <Icon data-category={category} />
        <span>{t[name]}</span>
      </Link>
    </li>
  )
}
