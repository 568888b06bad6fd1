import { useEffect, useState } from 'react'
import { PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Button } from './Button.tsx'
import styles from './Problem.module.css'
import { problemText } from './problemText.ts'
import { texts } from './texts.ts'

interface Props {
  error: unknown
  retry?: (() => void) | undefined
}

/**
 * Shows the message of an error, and a retry button if `retry` is set. The button stays disabled for the seconds in the
 * `Retry-After` header.
 */
export function Problem({ error, retry }: Props) {
  const t = useTexts(texts)
  const known = error instanceof PlazaError ? error : undefined
  const wait = useCountdown(known?.retryAfter ?? 0)
  return (
    <div className={styles.problem}>
      {/* Only the message is an alert. Otherwise the countdown would be announced every second. */}
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

/** Shows the error code and the request id, with which an operator can find the request in the log. */
export function RequestId({ error }: { error: unknown }) {
  const t = useTexts(texts)
  if (!(error instanceof PlazaError) || !error.requestId) return null
  return (
    <p className={styles.id}>
      <code>{error.code}</code> · {t.requestId} <code>{error.requestId}</code>
    </p>
  )
}

export function useProblemText(error: unknown): string {
  return problemText(error, useTexts(texts))
}

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
