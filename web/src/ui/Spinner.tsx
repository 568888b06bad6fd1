import styles from './Spinner.module.css'

/** Says nothing by itself: what is under way is said by the text beside it. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
