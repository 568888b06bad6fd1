/** Placeholders for missing data: the error of a request, or a note that a list is empty. */
import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Button, LinkButton } from './Button.tsx'
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

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** Shows the data of a query. Before that, shows the skeleton, or the error with a retry button. */
export function Loaded<T>({ query: { data, error, refetch }, skeleton, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data)
  return error ? <Problem error={error} retry={() => void refetch()} /> : skeleton
}

interface EmptyProps {
  icon?: ReactNode
  title: string
  level?: 1 | 2 | 3
  children?: ReactNode
  action?: ReactNode
  /** Target of a link with the text `action`. Without a text there is no link. */
  link?: LinkProps
}

export function Empty({ icon, title, level = 2, children, action, link }: EmptyProps) {
  const Title = `h${level}` as const
  return (
    <div className={styles.empty}>
      {icon && <span className={styles.icon}>{icon}</span>}
      <Title className={styles.title}>{title}</Title>
      {children && <p className={styles.text}>{children}</p>}
      {link && action ? (
        <LinkButton look="primary" {...link}>
          {action}
        </LinkButton>
      ) : (
        action
      )}
    </div>
  )
}
