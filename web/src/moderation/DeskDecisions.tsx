/** Pages for moderators about decisions, and about appeals against decisions. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Gavel, Scale } from 'lucide-react'
import { useState } from 'react'
import type { AppealCase, Decision, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Radios, TextArea } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import {
  appealsQuery,
  type DecisionFilter,
  decisionsQuery,
  OF_ADMINS,
  useRefresh,
} from './cases.ts'
import { DecisionLine, DecisionLines, deskPage, DeskTabs, Filter } from './deskParts.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { texts, wordOf } from './texts.ts'

const decisionsRoute = getRouteApi('/moderation/decisions')

const POLL_MS = 2000

/** True while a job applies or undoes the decision. */
function isRunning({ status }: Decision): boolean {
  return status === 'applying' || status === 'undoing'
}

export const DeskDecisions = deskPage(Decisions)

function Decisions() {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const search = decisionsRoute.useSearch()
  const navigate = decisionsRoute.useNavigate()
  const query = useInfiniteQuery({
    ...decisionsQuery(search),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ decisions }) => decisions.some(isRunning)) ? POLL_MS : false,
  })
  const filter = (change: DecisionFilter) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  const name = query.data?.pages[0]?.decisions[0]?.subject_user?.display_name ?? t.oneUser
  return (
    <Page title={t.decisions}>
      <DeskTabs>
        <Filter
          label={t.action}
          allLabel={t.allActions}
          options={words.actions}
          value={search.action}
          onChange={(action) => filter({ action })}
        />
        <Filter
          label={words.status}
          allLabel={t.allStatuses}
          options={words.statuses}
          value={search.status}
          onChange={(status) => filter({ status })}
        />
      </DeskTabs>
      {search.user && (
        <p className={styles.about}>
          {t.about(name)}{' '}
          <Link
            to="/moderation/decisions"
            search={{ ...search, user: undefined }}
            className={styles.link}
          >
            {t.showAll}
          </Link>
        </p>
      )}
      <Entries
        query={query}
        target={({ decisions }) => decisions}
        skeleton={<TableSkeleton />}
        empty={<Empty icon={<Gavel />} title={t.noDecisions} />}
      >
        {(decisions) => <DecisionLines decisions={decisions} />}
      </Entries>
    </Page>
  )
}

const appealsRoute = getRouteApi('/moderation/appeals')
type Outcome = InputOf<'answerAppeal'>['outcome']

export const DeskAppeals = deskPage(Appeals)

function Appeals() {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const { status } = appealsRoute.useSearch()
  const navigate = appealsRoute.useNavigate()
  const query = useInfiniteQuery(appealsQuery(status ?? 'open'))
  const { open, ...answered } = words.outcomes
  return (
    <Page title={t.appeals}>
      <DeskTabs>
        <Filter
          label={words.status}
          allLabel={open}
          options={answered}
          value={status}
          onChange={(chosen) =>
            void navigate({ search: { status: chosen }, replace: true, resetScroll: false })
          }
        />
      </DeskTabs>
      <Entries
        query={query}
        target={({ appeals }) => appeals}
        skeleton={<TableSkeleton />}
        empty={<Empty icon={<Scale />} title={t.noAppeals} />}
      >
        {(appeals) => (
          <div className={`${styles.stack} ${styles.column}`}>
            {appeals.map((appeal) => (
              <Appeal key={appeal.id} appeal={appeal} />
            ))}
          </div>
        )}
      </Entries>
    </Page>
  )
}

function Appeal({ appeal }: { appeal: AppealCase }) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const viewer = useViewer()
  const { user, body, status, answer, created_at, decision } = appeal
  const mayAnswer = viewer?.role === 'admin' || !OF_ADMINS.includes(decision.action)
  return (
    <Panel
      title={t.appealBy(user.display_name)}
      beside={status !== 'open' && <Badge>{wordOf(words.outcomes, status)}</Badge>}
    >
      <div className={`${styles.line} ${styles.sunken}`}>
        <DecisionLine decision={decision} />
      </div>
      <p className={styles.text}>{body}</p>
      <p className="fine">
        @{user.handle} · <Time time={created_at} />
      </p>
      {answer && (
        <div>
          <h3 className="bold">{t.answer}</h3>
          <p className={styles.text}>{answer}</p>
        </div>
      )}
      {status === 'open' &&
        (mayAnswer ? <Answer id={appeal.id} /> : <p className="fine">{t.onlyAdmins}</p>)}
    </Panel>
  )
}

function Answer({ id }: { id: string }) {
  const t = useTexts(deskTexts)
  const refresh = useRefresh()
  const [outcome, setOutcome] = useState<Outcome>()
  const [answer, setAnswer] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (chosen: Outcome) =>
      plaza.moderation.answerAppeal(id, { outcome: chosen, answer: answer.trim() }),
    onSuccess: () => {
      toast(t.answered)
      refresh()
    },
  })
  return (
    <Form
      error={error}
      submit={t.send}
      isBusy={isPending}
      onSubmit={() => outcome && mutate(outcome)}
      isNative
    >
      <Radios
        legend={t.outcome}
        options={Object.entries(t.outcomes) as [Outcome, string][]}
        value={outcome}
        onChange={setOutcome}
        required
      />
      <TextArea
        label={t.answer}
        hint={t.answerHint}
        value={answer}
        rows={2}
        maxLength={2000}
        required
        onChange={({ target }) => setAnswer(target.value)}
      />
    </Form>
  )
}
