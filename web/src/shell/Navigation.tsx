import { Link } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import styles from './Navigation.module.css'
import { LIBRARY, PUBLIC_PLACES, type Place } from './places.ts'
import { texts } from './texts.ts'

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
        className={styles.place}
        activeOptions={{ exact: to === '/', includeSearch: false }}
      >
        <Icon data-category={category} />
        <span>{t[name]}</span>
      </Link>
    </li>
  )
}
