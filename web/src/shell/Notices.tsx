import { Suspense, useEffect, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { lazyPart } from '../session/lazyPart.ts'
import { texts } from '../ui/texts.ts'
import { useToast } from '../ui/toast.ts'
import styles from './Notices.module.css'

const Toasts = lazyPart(() => import('../ui/Toasts.tsx'), 'Toasts')

/** Region on every page that shows notices and announces them to screen readers. */
export function Notices() {
  const t = useTexts(texts)
  const isUsed = useIsUsed()
  const toast = useToast()
  return (
    <section className={styles.place} aria-label={t.notices} aria-live="polite">
      {(isUsed || toast) && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </section>
  )
}

/**
 * True after the first click or key press. The notices' code loads then, early enough for notices while
 * offline.
 */
function useIsUsed(): boolean {
  const [isUsed, setIsUsed] = useState(false)
  useEffect(() => {
    const ended = new AbortController()
    const use = () => {
      ended.abort()
      setIsUsed(true)
    }
    for (const event of ['pointerdown', 'keydown']) {
      addEventListener(event, use, { signal: ended.signal, passive: true })
    }
    return () => ended.abort()
  }, [])
  return isUsed
}
