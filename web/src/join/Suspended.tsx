import type { PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { AppealForm } from './AppealForm.tsx'
import styles from './Join.module.css'
import type { Credentials } from './SecondStep.tsx'
import { texts } from './texts.ts'

interface Props {
  error: PlazaError
  credentials: Credentials
}

/** Reason for a suspension, and the form for an appeal. */
export function Suspended({ error, credentials }: Props) {
  const t = useTexts(texts)
  const reason = error.details.find(({ field }) => field === 'reason')?.message
  return (
    <section className={styles.suspended} aria-label={t.appeal}>
      {reason && (
        <p className={styles.reason}>
          <strong>{t.suspendedBecause}</strong>
          {reason}
        </p>
      )}
      <AppealForm credentials={credentials} />
    </section>
  )
}
