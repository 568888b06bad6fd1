import { useIsConnected } from '../device/connected.ts'
import { useTexts } from '../language/texts.ts'
import styles from './OfflineNote.module.css'
import { texts } from './texts.ts'

export function OfflineNote() {
  const t = useTexts(texts)
  const isConnected = useIsConnected()
  return <div role="status">{!isConnected && <p className={styles.note}>{t.offline}</p>}</div>
}
