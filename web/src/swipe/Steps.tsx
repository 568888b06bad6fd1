import { ChevronDown, ChevronUp } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import styles from './Steps.module.css'
import { texts } from './texts.ts'

interface Props {
  hasPrevious: boolean
  hasNext: boolean
  go: (steps: number) => void
}

/** Buttons for the previous and next slide. */
export function Steps({ hasPrevious, hasNext, go }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.steps}>
      {/* Not disabled, because a disabled button would lose the focus. */}
      <button
        type="button"
        className={styles.step}
        aria-label={t.previous}
        title={t.previous}
        aria-disabled={!hasPrevious}
        onClick={() => hasPrevious && go(-1)}
      >
        <ChevronUp aria-hidden="true" />
      </button>
      <button
        type="button"
        className={styles.step}
        aria-label={t.next}
        title={t.next}
        aria-disabled={!hasNext}
        onClick={() => hasNext && go(1)}
      >
        <ChevronDown aria-hidden="true" />
      </button>
    </div>
  )
}
