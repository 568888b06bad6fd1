import type { DeliveryAttempt } from '#sdk'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { Badge } from '../../ui/Badge.tsx'
import styles from '../console.module.css'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

export function Attempts({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  return (
    <ol className={own.attempts}>
      {attempts.map((attempt, at) => (
        <li key={attempt.at} className={own.attempt}>
          <Attempt attempt={attempt} number={at + 1} />
        </li>
      ))}
    </ol>
  )
}

function Attempt({ attempt, number }: { attempt: DeliveryAttempt; number: number }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { at, response_status, response_body, error, duration_ms } = attempt
  return (
    <>
      <div className={own.attemptHead}>
        <strong>{t.attempt(number)}</strong>
        <Badge tone={error ? 'bad' : 'good'}>{response_status ?? t.noAnswer}</Badge>
        <span>{t.ms(formats.number(duration_ms))}</span>
        <time dateTime={at} className={styles.muted}>
          {formats.dateTime(at)}
        </time>
      </div>
      {error && (
        <p>
          <code>{error}</code> {t.errors[error as keyof typeof t.errors] ?? ''}
        </p>
      )}
      {response_body === '' && <p className={styles.hint}>{t.emptyBody}</p>}
      {response_body && (
        <>
          <p className={styles.hint}>{t.body}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
          <pre tabIndex={0} aria-label={t.body}>
            {response_body}
          </pre>
        </>
      )}
    </>
  )
}
