import styles from './Spinner.module.css'

/** Silent for screen readers, because the text next to it says what is happening. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
