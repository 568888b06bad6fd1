import styles from './Code.module.css'
import { Copy } from './Copy.tsx'

/** Code with a copy button. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{label}</span>
        <Copy text={text} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
