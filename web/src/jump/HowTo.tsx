import { useId } from 'react'
import { useTexts } from '../language/texts.ts'
import styles from './HowTo.module.css'
import { controlLines } from './runtime.ts'
import { texts } from './texts.ts'

export function HowTo({ controls }: { controls: unknown }) {
  const t = useTexts(texts)
  const id = useId()
  const lines = controlLines(controls)
  if (lines.length === 0) return null
  return (
    <div className={styles.howTo}>
      <h2 id={id}>{t.howTo}</h2>
      <ul className="cluster" aria-labelledby={id}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
