import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import type { AppealCase, InputOf } from '#sdk'
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
import { OF_ADMINS, useRefresh } from './acts.ts'
import { DecisionLine } from './DecisionLines.tsx'
import { deskPage, DeskTabs, Filter } from './DeskTabs.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { appealsQuery } from './queries.ts'
import { texts, wordOf } from './texts.ts'

const route = getRouteApi('/moderation/appeals')
type Outcome = InputOf<'answerAppeal'>['outcome']

export const DeskAppeals = deskPage(Shown)

function Shown() {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
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
