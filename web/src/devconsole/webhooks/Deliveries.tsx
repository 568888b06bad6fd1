import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Delivery, Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Table } from '../../ui/Table.tsx'
import styles from '../console.module.css'
import { deliveriesQuery, webhooksQuery } from '../queries.ts'
import { TableSkeleton } from '../TableSkeleton.tsx'
import { DeliveryRow } from './DeliveryRow.tsx'
import { pollingOf } from './polling.ts'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

const route = getRouteApi('/devconsole/apps/$app_id/webhooks/$webhook_id')

interface Props {
  webhook: Webhook
  /** Id of the expanded delivery. */
  opened: string | undefined
  onOpen: (id: string | undefined) => void
  /** Content below the log. Rendered after the log, so that it does not shift. */
  children: ReactNode
}

/** Delivery log of a webhook. Polls for new attempts. */
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
        <div className={styles.bar}>
          <div>
            <h2>{t.log}</h2>
            <p className={styles.hint}>{t.logHint}</p>
          </div>
        </div>
        {isPending && <TableSkeleton rows={6} isDense />}
        {error && !data && <Problem error={error} retry={() => void refetch()} />}
        {data?.pagination.total === 0 && (
          <Empty icon={<Send aria-hidden="true" />} title={t.logEmpty} level={3}>
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
      heads={[t.event, t.status, t.answer, t.attempts, t.time]}
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
