import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import type { AppealCase, InputOf } from '#sdk'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Radios, TextArea } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import { isOfAdmins } from './acts.ts'
import { DecisionLine } from './DecisionLines.tsx'
import { deskTexts } from './deskTexts.ts'
import { DeskTabs } from './DeskTabs.tsx'
import { Filter } from './Filter.tsx'
import styles from './Moderation.module.css'
import { appealsQuery } from './queries.ts'
import { texts, wordOf } from './texts.ts'

const route = getRouteApi('/moderation/appeals')
type Outcome = InputOf<'answerAppeal'>['outcome']

export function DeskAppeals() {
  return (
    <OnlyAdmins permission="moderate">
      <Shown />
    </OnlyAdmins>
  )
}

function Shown() {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(appealsQuery(status ?? 'open'))
  const { open, ...answered } = words.outcomes
  return (
    <Page title={t.appeals}>
      <DeskTabs />
      <div className={styles.filters} role="group" aria-label={t.filters}>
        <Filter
          label={t.status}
          allLabel={open}
          options={Object.entries(answered) as [Outcome, string][]}
          value={status}
          onChange={(chosen) =>
            void navigate({ search: { status: chosen }, replace: true, resetScroll: false })
          }
        />
      </div>
      <Entries
        query={query}
        target={({ appeals }) => appeals}
        skeleton={<TableSkeleton />}
        empty={<Empty icon={<Scale aria-hidden="true" />} title={t.noAppeals} />}
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
  const mayAnswer = viewer?.role === 'admin' || !isOfAdmins(decision)
  return (
    <Panel
      title={t.appealBy(user.display_name)}
      beside={status !== 'open' && <Badge>{wordOf(words.outcomes, status)}</Badge>}
    >
      <div className={`${styles.line} ${styles.sunken}`}>
        <DecisionLine decision={decision} />
      </div>
      <p className={styles.text}>{body}</p>
      <p className={styles.muted}>
        @{user.handle} · <Time time={created_at} />
      </p>
      {answer !== null && (
        <div>
          <h3 className={styles.label}>{t.answer}</h3>
          <p className={styles.text}>{answer}</p>
        </div>
      )}
      {status === 'open' &&
        (mayAnswer ? <Answer id={appeal.id} /> : <p className={styles.muted}>{t.onlyAdmins}</p>)}
    </Panel>
  )
}

const OUTCOMES = ['granted', 'upheld', 'closed'] as const

function Answer({ id }: { id: string }) {
  const t = useTexts(deskTexts)
  const queries = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const [answer, setAnswer] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (chosen: Outcome) =>
      plaza.moderation.answerAppeal(id, { outcome: chosen, answer: answer.trim() }),
    onSuccess: () => {
      toast(t.answered)
      // Refetches all data except the viewer, because granting an appeal also changes the pages that show the
      // decision's subject.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'viewer' })
    },
  })
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault()
        if (outcome && !isPending) mutate(outcome)
      }}
    >
      <Radios
        legend={t.outcome}
        options={OUTCOMES.map((option) => [option, t.outcomes[option]])}
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
      {error && <Problem error={error} />}
      <div>
        <Button type="submit" look="primary" busy={isPending}>
          {t.send}
        </Button>
      </div>
    </form>
  )
}
