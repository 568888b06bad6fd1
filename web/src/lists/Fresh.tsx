import { ArrowUp } from 'lucide-react'
import { wantsCalm } from '../device/wishes.ts'
import styles from './Fresh.module.css'

interface Props {
  /** What came, in words; undefined while nothing did. */
  label: string | undefined
  /** Puts it into the list. */
  show: () => unknown
}

/** Says what came while one reads, and stays in sight. It takes no room: what one reads does not move. */
export function Fresh({ label, show }: Props) {
  const go = async () => {
    await show()
    scrollTo({ top: 0, behavior: wantsCalm() ? 'instant' : 'smooth' })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <div className={styles.place} role="status">
      {label !== undefined && (
        <button type="button" className={styles.button} onClick={() => void go()}>
          <ArrowUp aria-hidden="true" />
          {label}
        </button>
      )}
    </div>
  )
}
