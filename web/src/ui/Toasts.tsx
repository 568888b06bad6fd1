import { X } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import styles from './Toasts.module.css'
import { texts } from './texts.ts'
import { dismiss, useToasts } from './toast.ts'

/** Where notices are shown and read aloud; on every page. */
export function Toasts() {
  const t = useTexts(texts)
  const toasts = useToasts()
  return (
    <section className={styles.place} aria-label={t.notices} aria-live="polite">
      {toasts.map(({ id, text, isBad, action }) => (
        <div key={id} className={`${styles.toast} ${isBad ? styles.bad : ''}`}>
          <p>{text}</p>
          {action && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            className={styles.close}
            aria-label={t.close}
            onClick={() => dismiss(id)}
          >
            <X aria-hidden="true" />
          </button>
        </div>
      ))}
    </section>
  )
}
