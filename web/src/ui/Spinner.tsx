import styles from './Spinner.module.css'

/** Spinner. Hidden from screen readers, because the text next to it describes the action. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
