import { useSyncExternalStore } from 'react'
import { useTexts } from '../language/texts.ts'
import styles from './OfflineNote.module.css'
import { texts } from './texts.ts'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export function OfflineNote() {
  const t = useTexts(texts)
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return <div role="status">{!isOnline && <p className={styles.note}>{t.offline}</p>}</div>
}
