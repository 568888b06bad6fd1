import styles from './Spinner.module.css'

/** Spinner that is hidden from screen readers, because the text next to it says what is happening. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
