/** Decisions of moderators about the viewer, and outcomes of the viewer's reports. */
import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Flag, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { Appeal as AppealRecord, OwnDecision as Decision, Report } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Moderation.module.css'
import { texts, wordOf } from './texts.ts'

const listRoute = getRouteApi('/decisions')
const route = getRouteApi('/decisions/$id')

const ownReportsQuery = byPages(['own-reports'], (page, signal) =>
  plaza.reports.list({ page, per_page: 30 }, { signal }),
)

const ownDecisionsQuery = byPages(['own-decisions'], (page, signal) =>
  plaza.reports.listOwnDecisions({ page, per_page: 30 }, { signal }),
)

function ownDecisionQuery(id: string) {
  return queryOptions({
    queryKey: ['own-decision', id],
    queryFn: async ({ signal }) =>
      (await plaza.reports.getOwnDecision(id, {}, { signal })).decision,
    // Refetches on every visit, because moderators may have answered an appeal since the last visit.
    staleTime: 0,
    throwOnError: (error: Error) => isMissing(error),
  })
}

export function OwnDecisions() {
  const t = useTexts(texts)
  const { list } = listRoute.useSearch()
  return (
    <Page title={t.title} width="reading">
      <Tabs label={t.title}>
        <Tab to="/decisions" search={{ list: undefined }}>
          {t.decisions}
        </Tab>
        <Tab to="/decisions" search={{ list: 'reports' }}>
          {t.reports}
        </Tab>
      </Tabs>
      <h2 className="unseen">{list ? t.reports : t.decisions}</h2>
      {list ? <Reports /> : <Decisions />}
    </Page>
  )
}

function Decisions() {
  const t = useTexts(texts)
  const query = useInfiniteQuery(ownDecisionsQuery)
  return (
    <Entries
      query={query}
      target={({ decisions }) => decisions}
      skeleton={<TableSkeleton />}
      empty={
        <Empty icon={<ShieldCheck />} title={t.noDecisions} level={3}>
          {t.noDecisionsHelp}
        </Empty>
      }
    >
      {(decisions) => (
        <ul className="box" aria-label={t.decisions}>
          {decisions.map((decision) => (
            <li key={decision.id} className={styles.line}>
              <Link to="/decisions/$id" params={{ id: decision.id }} className={styles.cover}>
                {wordOf(t.decided, decision.action)}
              </Link>
              <State decision={decision} />
              {decision.excerpt && <p className={styles.excerpt}>{decision.excerpt}</p>}
              <p className="fine">
                {wordOf(t.kinds, decision.subject.kind)} · <Time time={decision.created_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Entries>
  )
}

function State({ decision: { status, appeal } }: { decision: Decision }) {
  const t = useTexts(texts)
  if (status !== 'in_effect') return <Badge>{wordOf(t.statuses, status)}</Badge>
  if (appeal?.status !== 'open') return null
  return (
    <Badge tone="accent">
      {t.appeal}: {t.outcomes.open}
    </Badge>
  )
}

const TONES = { open: 'plain', actioned: 'good', dismissed: 'plain' } as const

function Reports() {
  const t = useTexts(texts)
  const query = useInfiniteQuery(ownReportsQuery)
  return (
    <Entries
      query={query}
      target={({ reports }) => reports}
      skeleton={<TableSkeleton />}
      empty={
        <Empty icon={<Flag />} title={t.noReports} level={3}>
          {t.noReportsHelp}
        </Empty>
      }
    >
      {(reports) => (
        <ul className="box" aria-label={t.reports}>
          {reports.map((report) => (
            <ReportLine key={report.id} report={report} />
          ))}
        </ul>
      )}
    </Entries>
  )
}

function ReportLine({ report }: { report: Report }) {
  const t = useTexts(texts)
  const { subject, reason, note, status, created_at } = report
  return (
    <li className={styles.line}>
      <strong>
        {wordOf(t.kinds, subject.kind)}: {wordOf(t.reasons, reason)}
      </strong>
      <Badge tone={TONES[status as keyof typeof TONES]}>{wordOf(t.reportStatuses, status)}</Badge>
      {note && <p className={styles.excerpt}>{note}</p>}
      <p className="fine">
        <Time time={created_at} />
      </p>
    </li>
  )
}

export function OwnDecision() {
  const t = useTexts(texts)
  const { id } = route.useParams()
  const query = useQuery(ownDecisionQuery(id))
  return (
    <Page
      title={query.data ? wordOf(t.decided, query.data.action) : t.title}
      trail={<Link to="/decisions">{t.allDecisions}</Link>}
      width="reading"
    >
      <Loaded query={query} skeleton={<TableSkeleton rows={3} />}>
        {(decision) => <Shown decision={decision} />}
      </Loaded>
    </Page>
  )
}

function Shown({ decision }: { decision: Decision }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { subject, reason, rule, rating, since, status, created_at, excerpt } = decision
  return (
    <div className={styles.stack}>
      <Panel title={t.reason}>
        <p className={styles.quote}>{reason}</p>
        <Facts>
          {rule && <Fact name={t.ruleName}>{rule.text}</Fact>}
          <Fact name={t.subject}>
            {wordOf(t.kinds, subject.kind)}
            {excerpt && <span className={styles.said}>{excerpt}</span>}
          </Fact>
          {rating && <Fact name={t.rating}>{wordOf(t.ratings, rating)}</Fact>}
          {since && <Fact name={t.since}>{t.sinceTime(formats.dateTime(since))}</Fact>}
          <Fact name={t.when}>{formats.dateTime(created_at)}</Fact>
          <Fact name={t.status}>{wordOf(t.statuses, status)}</Fact>
        </Facts>
        {subject.kind === 'content' && (
          <div>
            <LinkButton to="/contents/$id" params={{ id: subject.id }}>
              {t.open}
            </LinkButton>
          </div>
        )}
      </Panel>
      {decision.appeal && <Appeal appeal={decision.appeal} />}
      {decision.can_appeal && <AppealForm id={decision.id} />}
    </div>
  )
}

function Appeal({ appeal: { body, status, answer, created_at } }: { appeal: AppealRecord }) {
  const t = useTexts(texts)
  return (
    <Panel
      title={t.appeal}
      beside={
        <Badge tone={status === 'granted' ? 'good' : 'plain'}>{wordOf(t.outcomes, status)}</Badge>
      }
    >
      <p className={styles.text}>{body}</p>
      <p className="fine">
        <Time time={created_at} />
      </p>
      {answer && (
        <div>
          <h3 className="bold">{t.answer}</h3>
          <p className={styles.text}>{answer}</p>
        </div>
      )}
    </Panel>
  )
}

function AppealForm({ id }: { id: string }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [body, setBody] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.reports.createAppeal(id, { body }),
    onSuccess: ({ appeal }) => {
      queries.setQueryData(
        ownDecisionQuery(id).queryKey,
        (cached) => cached && { ...cached, appeal, can_appeal: false },
      )
      void queries.invalidateQueries({ queryKey: ownDecisionsQuery.queryKey })
      toast(t.appealSent)
    },
  })
  return (
    <Panel title={t.appeal}>
      <p className="fine">{t.appealHelp}</p>
      <Form
        error={error}
        submit={t.appealSend}
        isBusy={isPending}
        onSubmit={() => mutate()}
        isNative
      >
        <TextArea
          label={t.appealBody}
          value={body}
          maxLength={2000}
          required
          onChange={({ target }) => setBody(target.value)}
        />
      </Form>
    </Panel>
  )
}
