import type { ReactNode } from 'react'
import { Problem } from '../ui/Problem.tsx'
import styles from './Join.module.css'

interface Props {
  error: unknown
  /** Text that explains the error. Without it, `Problem` shows the error. */
  text: string | false | undefined
  retry?: () => void
  /** Link below the text. */
  children?: ReactNode
}

/** Explains why a request failed. Renders nothing without an error. */
export function WhyNot({ error, text, retry, children }: Props) {
  if (!error) return null
  if (!text) return <Problem error={error} retry={retry} />
  return (
    <div className={styles.refusal} role="alert">
      <p>{text}</p>
      {children}
    </div>
  )
}
