import type { ReactNode } from 'react'
import { SaveFirst } from '../account/SaveFirst.tsx'
import { useTexts } from '../language/texts.ts'
import { Code } from '../ui/Panel.tsx'
import styles from './console.module.css'
import { texts } from './texts.ts'

interface Secret {
  label: string
  hint?: ReactNode
  /** Null when the server replays an earlier response, because replays omit secrets. */
  value: string | null
}

interface Props {
  title: string
  secrets: readonly Secret[]
  onClose: () => void
  children?: ReactNode
}

/**
 * Dialog with secrets that the server sends only once. Closing requires confirming that they were saved, unless
 * the server has omitted one.
 */
export function Once({ title, secrets, onClose, children }: Props) {
  const t = useTexts(texts)
  const isLost = secrets.some(({ value }) => value === null)
  return (
    <SaveFirst
      title={title}
      description={isLost ? t.onceLost : t.onceHelp}
      words={{ saved: t.onceSaved, first: t.onceFirst, done: t.done }}
      isEmpty={isLost}
      onClose={onClose}
    >
      <div className={styles.secrets}>
        {secrets.map(
          ({ label, hint, value }) =>
            value !== null && (
              <div key={label} className={styles.once}>
                <Code text={value} label={label} />
                {hint && <p className="fine">{hint}</p>}
              </div>
            ),
        )}
        {!isLost && children}
      </div>
    </SaveFirst>
  )
}
