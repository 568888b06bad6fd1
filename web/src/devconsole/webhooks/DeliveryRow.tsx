import { ChevronRight, RotateCw } from 'lucide-react'
import { useId } from 'react'
import type { Delivery, Webhook } from '#sdk'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Copied } from '../../ui/Facts.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from '../console.module.css'
import { Attempts } from './Attempts.tsx'
import { useRedelivery } from './sending.ts'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

const TONES = { pending: 'accent', delivered: 'good', failed: 'bad' } as const

interface Props {
  webhook: Webhook
  delivery: Delivery
  isOpen: boolean
  onOpen: (id: string | undefined) => void
}

/** Row of the delivery log. It expands to show the attempts. */
export function DeliveryRow({ webhook, delivery, isOpen, onOpen }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const rowId = useId()
  const { id, event, status, attempts, attempt_count, created_at } = delivery
  const last = attempts.at(-1)
  const failureOf = (error: string | null) => t.failures[error as keyof typeof t.failures] ?? ''
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className={own.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? rowId : undefined}
            onClick={() => onOpen(isOpen ? undefined : id)}
          >
            <ChevronRight aria-hidden="true" />
            <code>{event}</code>
          </button>
        </td>
        <td>
          <Badge tone={TONES[status as keyof typeof TONES] ?? 'plain'}>
            {t.statuses[status as keyof typeof t.statuses] ?? status}
          </Badge>
        </td>
        <td>
          {last &&
            `${last.response_status ?? failureOf(last.error)} · ${t.ms(formats.number(last.duration_ms))}`}
        </td>
        <td>{t.attemptCount(attempt_count)}</td>
        <td>
          <Time at={created_at} />
        </td>
      </tr>
      {isOpen && (
        <tr id={rowId} className={own.opened}>
          <td colSpan={5}>
            <Opened webhook={webhook} delivery={delivery} onOpen={onOpen} />
          </td>
        </tr>
      )}
    </>
  )
}

function Opened({ webhook, delivery, onOpen }: Omit<Props, 'isOpen'>) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { id, event_id, status, attempts, next_attempt_at } = delivery
  const { mutate, isPending, error } = useRedelivery(webhook, (sent) => onOpen(sent.id))
  return (
    <div className={own.delivery}>
      <div className={own.deliveryHead}>
        <p>
          <span className="unseen">{t.eventId}</span>
          <Copied text={event_id} label={t.copyEvent} />
        </p>
        <Button
          size="small"
          icon={<RotateCw aria-hidden="true" />}
          busy={isPending}
          onClick={() => mutate(id)}
        >
          {t.redeliver}
        </Button>
      </div>
      {error && <Problem error={error} />}
      {attempts.length === 0 && <p className={styles.hint}>{t.noAttempts}</p>}
      <Attempts attempts={attempts} />
      {status === 'pending' && attempts.length > 0 && next_attempt_at && (
        <p className={styles.hint}>
          {t.next}: {formats.dateTime(next_attempt_at)} (<Time at={next_attempt_at} />)
        </p>
      )}
    </div>
  )
}
