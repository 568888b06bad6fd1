import { useEffect, useState } from 'react'
import { PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Button } from './Button.tsx'
import styles from './Problem.module.css'
import { problemText } from './problemText.ts'
import { texts } from './texts.ts'

interface Props {
  error: unknown
  /** What to do again, where that makes sense. */
  retry?: (() => void) | undefined
}

/** What went wrong: in words, with the code and the id by which the operator finds it, and a way on. */
export function Problem({ error, retry }: Props) {
  const t = useTexts(texts)
  const known = error instanceof PlazaError ? error : undefined
  const wait = useCountdown(known?.retryAfter ?? 0)
  return (
    <div className={styles.problem}>
      {/* Not the whole: what counts down on the button would be read aloud each second. */}
      <p className={styles.message} role="alert">
        {useProblemText(error)}
      </p>
      <RequestId error={error} />
      {retry && (
        <Button size="small" onClick={retry} disabled={wait > 0}>
          {wait > 0 ? t.retryIn(wait) : t.retry}
        </Button>
      )}
    </div>
  )
}

/** By what the operator finds the request that failed, where there was one. */
export function RequestId({ error }: { error: unknown }) {
  const t = useTexts(texts)
  if (!(error instanceof PlazaError) || !error.requestId) return null
  return (
    <p className={styles.id}>
      <code>{error.code}</code> · {t.requestId} <code>{error.requestId}</code>
    </p>
  )
}

/** An error as a sentence. */
export function useProblemText(error: unknown): string {
  return problemText(error, useTexts(texts))
}

/** Seconds that are left, told once a second. */
function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds <= 0) return
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
