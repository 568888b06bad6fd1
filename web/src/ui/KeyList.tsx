import styles from './KeyList.module.css'

/** List of keyboard shortcuts: the description and the keys of each. */
export function KeyList({ rows }: { rows: readonly (readonly [string, readonly string[]])[] }) {
  return (
    <dl className={styles.list}>
      {rows.map(([name, keys]) => (
        <div key={name} className={styles.shortcut}>
          <dt>{name}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
