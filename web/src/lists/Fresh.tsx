import { ArrowUp } from 'lucide-react'
import { wantsCalm } from '../device/wishes.ts'
import styles from './Fresh.module.css'

interface Props {
  /** Button text. Undefined while there are no new entries. */
  label: string | undefined
  show: () => unknown
}

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
          <ArrowUp />
          {label}
        </button>
      )}
    </div>
  )
}
