import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import styles from './console.module.css'
import { texts } from './texts.ts'

/** Number of scopes that fit into two lines on a phone. */
const BRIEF = 2

interface Props {
  scopes: readonly string[]
  /** Scopes of the app. Key scopes that the app lacks have no effect and are struck out. */
  within?: readonly string[]
  /** Tooltip of a struck-out scope. */
  lostLabel?: string
}

/** Scopes in a table cell. A long list shows only the first scope and expands on a click. */
export function ScopeList({ scopes, within, lostLabel }: Props) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  if (scopes.length === 0) return <span className={styles.muted}>{t.noScopes}</span>
  const isLong = scopes.length > BRIEF
  const others = scopes.length - 1
  return (
    <span className={styles.scopes}>
      {(isLong && !isOpen ? scopes.slice(0, 1) : scopes).map((scope) =>
        within && !within.includes(scope) ? (
          <s key={scope} title={lostLabel}>
            <code>{scope}</code>
          </s>
        ) : (
          <code key={scope}>{scope}</code>
        ),
      )}
      {isLong && (
        <button
          type="button"
          className={styles.others}
          aria-expanded={isOpen}
          aria-label={isOpen ? t.fewScopes : t.otherScopes(others)}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.less : `+${others}`}
        </button>
      )}
    </span>
  )
}
