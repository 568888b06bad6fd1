import styles from './Count.module.css'

/** Badge with a number, at most 99+. Screen readers announce `label` instead. */
export function Count({ count, label }: { count: number; label: string }) {
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
