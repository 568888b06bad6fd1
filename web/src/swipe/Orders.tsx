import { Link } from '@tanstack/react-router'
import { texts } from '../contents/texts.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Orders.module.css'

/** Links that change the sort order of the feed. Signed-in viewers can select followed creators. */
export function Orders({ label, isSignedIn }: { label: string; isSignedIn: boolean }) {
  const t = useTexts(texts)
  const sorts = [undefined, 'popular', ...(isSignedIn ? (['following'] as const) : [])] as const
  return (
    <nav className={styles.orders} aria-label={label}>
      {sorts.map((sort) => (
        <Link
          key={sort ?? 'latest'}
          to="/swipe"
          search={{ sort }}
          className={styles.order}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t[sort ?? 'latest']}
        </Link>
      ))}
    </nav>
  )
}
