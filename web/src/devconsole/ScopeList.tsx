import { useTexts } from '../language/texts.ts'
import styles from './console.module.css'
import { texts } from './texts.ts'

interface Props {
  scopes: readonly string[]
  /** Those of the app: what it lacks is of no use to a key. */
  within?: readonly string[]
  /** Says why one is struck out. */
  lostLabel?: string
}

/** Scopes in a cell of a table. */
export function ScopeList({ scopes, within, lostLabel }: Props) {
  const t = useTexts(texts)
  if (scopes.length === 0) return <span className={styles.muted}>{t.noScopes}</span>
  return (
    <span className={styles.scopes}>
      {scopes.map((scope) =>
        within && !within.includes(scope) ? (
          <s key={scope} title={lostLabel}>
            <code>{scope}</code>
          </s>
        ) : (
          <code key={scope}>{scope}</code>
        ),
      )}
    </span>
  )
}
