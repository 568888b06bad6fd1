import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ChevronRight, RotateCw, Send } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Delivery, DeliveryAttempt, Webhook } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Copied } from '../ui/Panel.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import { Pager, Table, TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './console.module.css'
import { Bar } from './consoleParts.tsx'
import { deliveriesQuery, useRedelivery, webhooksQuery } from './queries.ts'
import { pollingOf } from './rules.ts'
import own from './webhooks.module.css'
import { texts } from './webhookTexts.ts'

const route = getRouteApi('/devconsole/apps/$app_id/webhooks/$webhook_id')

interface Props {
  webhook: Webhook
  opened: string | undefined
  onOpen: (id: string | undefined) => void
  /** Content below the log. Hidden while the log loads, so that the content does not shift. */
  children: ReactNode
}

export function Deliveries({ webhook, opened, onOpen, children }: Props) {
  const t = useTexts(texts)
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isPending, error, refetch } = useQuery({
    ...deliveriesQuery(webhook.id, page),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollingOf(state.data?.deliveries),
  })
  useFreshState(webhook, data?.deliveries)
  const goTo = (next: number) => navigate({ search: { page: next > 1 ? next : undefined } })
  const show = (id: string | undefined) => {
    onOpen(id)
    if (id !== undefined && !data?.deliveries.some((delivery) => delivery.id === id)) void goTo(1)
  }
  return (
    <>
      <section>
        <Bar title={t.log} lead={t.logHint} />
        {isPending && <TableSkeleton rows={6} isDense />}
        {error && !data && <Problem error={error} retry={() => void refetch()} />}
        {data?.pagination.total === 0 && (
          <Empty icon={<Send />} title={t.logEmpty} level={3}>
            {t.logEmptyHelp}
          </Empty>
        )}
        {data && data.deliveries.length > 0 && (
          <Log {...{ webhook, opened }} deliveries={data.deliveries} onOpen={show} />
        )}
        {data && (
          <Pager
            page={page}
            pages={data.pagination.total_pages}
            onPage={(next) => void goTo(next)}
          />
        )}
      </section>
      {!isPending && children}
    </>
  )
}

interface LogProps extends Omit<Props, 'children'> {
  deliveries: readonly Delivery[]
}

function Log({ webhook, deliveries, opened, onOpen }: LogProps) {
  const t = useTexts(texts)
  return (
    <Table
      label={t.log}
      heads={[t.event, t.state, t.answer, t.attempts, t.time]}
      className={own.log}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          webhook={webhook}
          delivery={delivery}
          isOpen={delivery.id === opened}
          onOpen={onOpen}
        />
      ))}
    </Table>
  )
}

/** Refetches the webhook after new attempts, because these can raise its failure count or disable it. */
function useFreshState({ app_id }: Webhook, deliveries: readonly Delivery[] | undefined): void {
  const queries = useQueryClient()
  const made = deliveries?.map(({ id, attempt_count }) => `${id} ${attempt_count}`).join()
  const known = useRef(made)
  useEffect(() => {
    const isNews = known.current !== undefined && known.current !== made
    known.current = made
    if (isNews) void queries.invalidateQueries({ queryKey: webhooksQuery(app_id).queryKey })
  }, [made, app_id, queries])
}

const TONES = { pending: 'accent', delivered: 'good', failed: 'bad' } as const

interface DeliveryRowProps {
  webhook: Webhook
  delivery: Delivery
  isOpen: boolean
  onOpen: (id: string | undefined) => void
}

function DeliveryRow({ webhook, delivery, isOpen, onOpen }: DeliveryRowProps) {
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
            <ChevronRight />
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
          <Time time={created_at} />
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

function Opened({ webhook, delivery, onOpen }: Omit<DeliveryRowProps, 'isOpen'>) {
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
        <Button size="small" icon={<RotateCw />} busy={isPending} onClick={() => mutate(id)}>
          {t.redeliver}
        </Button>
      </div>
      {error && <Problem error={error} />}
      {attempts.length === 0 && <p className="fine">{t.noAttempts}</p>}
      <ol className={own.attempts}>
        {attempts.map((attempt, index) => (
          <li key={attempt.at} className={own.attempt}>
            <Attempt attempt={attempt} number={index + 1} />
          </li>
        ))}
      </ol>
      {status === 'pending' && attempts.length > 0 && next_attempt_at && (
        <p className="fine">
          {t.next}: {formats.dateTime(next_attempt_at)} (<Time time={next_attempt_at} />)
        </p>
      )}
    </div>
  )
}

function Attempt({ attempt, number }: { attempt: DeliveryAttempt; number: number }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { at: attemptedAt, response_status, response_body, error, duration_ms } = attempt
  return (
    <>
      <div className={own.attemptHead}>
        <strong>{t.attempt(number)}</strong>
        <Badge tone={error ? 'bad' : 'good'}>{response_status ?? t.noAnswer}</Badge>
        <span>{t.ms(formats.number(duration_ms))}</span>
        <time dateTime={attemptedAt} className={styles.muted}>
          {formats.dateTime(attemptedAt)}
        </time>
      </div>
      {error && (
        <p>
          <code>{error}</code> {t.errors[error as keyof typeof t.errors] ?? ''}
        </p>
      )}
      {response_body === '' && <p className="fine">{t.emptyBody}</p>}
      {response_body && (
        <>
          <p className="fine">{t.body}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
          <pre tabIndex={0} aria-label={t.body}>
            {response_body}
          </pre>
        </>
      )}
    </>
  )
}
