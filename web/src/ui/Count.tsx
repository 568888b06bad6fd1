import styles from './Count.module.css'

/** How many were not seen yet; `label` is read aloud in its place. */
export function Count({ count, label }: { count: number; label: string }) {
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
