import { CircleCheck } from 'lucide-react'
import { isPlazaError } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Problem } from '../ui/Problem.tsx'
import { Progress } from '../ui/Progress.tsx'
import styles from './Join.module.css'
import { texts } from './texts.ts'
import type { ProofOfWork } from './useProof.ts'

/** Progress bar of the proof of work, with an explanation. */
export function ProofBar({ proof, start }: Pick<ProofOfWork, 'proof' | 'start'>) {
  const t = useTexts(texts)
  const formats = useFormats()
  if (proof.state === 'failed') {
    // Registration is closed. The page explains that in place of the form.
    if (isPlazaError(proof.error, 'CAPTCHA_NOT_CONFIGURED')) return null
    return <Problem error={proof.error} retry={start} />
  }
  const isDone = proof.state === 'done'
  const share = isDone ? 1 : proof.state === 'working' ? proof.share : 0
  const status = { idle: t.proofIdle, working: t.proofWorking, done: t.proofDone }[proof.state]
  return (
    <div className={styles.proof}>
      <p className={styles.proofLine}>
        <span className={styles.proofName} role="status">
          {isDone && <CircleCheck aria-hidden="true" />}
          {status}
        </span>
        <span className={styles.proofShare} aria-hidden="true">
          {formats.percent(share)}
        </span>
      </p>
      <Progress share={share} label={status} />
      <p className={styles.why}>{t.proofWhy}</p>
    </div>
  )
}
