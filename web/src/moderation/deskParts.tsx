/** Parts of the pages for moderators: tabs and filters, and lines about decisions. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import type { Decision } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { openQuery, useViewer } from '../session/viewer.ts'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Options, Select } from '../ui/Field.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { Time } from '../ui/Time.tsx'
import { canUndo, useUndo } from './cases.ts'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { texts, wordOf } from './texts.ts'

const POLL_MS = 30_000
/** Selects the active tab by its path only, because filters of a list are in the query. */
const PATH_ONLY = { exact: true, includeSearch: false }

/** Returns a page that only moderators can open. */
export function deskPage(Content: ComponentType): ComponentType {
  return () => (
    <OnlyAdmins permission="moderate">
      <Content />
    </OnlyAdmins>
  )
}

/** Links to the pages for moderators, above the filters of the open page. */
export function DeskTabs({ children }: { children: ReactNode }) {
  const t = useTexts(deskTexts)
  const { data } = useQuery({ ...openQuery, refetchInterval: POLL_MS })
  const tabs = [
    ['/moderation', t.cases, data?.open_cases],
    ['/moderation/decisions', t.decisions, 0],
    ['/moderation/appeals', t.appeals, data?.open_appeals],
  ] as const
  return (
    <>
      <Tabs label={t.title}>
        {tabs.map(([to, name, count = 0]) => (
          <Tab key={to} to={to} activeOptions={PATH_ONLY}>
            {name}
            {count > 0 && <Badge tone="accent">{count}</Badge>}
          </Tab>
        ))}
      </Tabs>
      <div className={styles.filters} role="group" aria-label={t.filters}>
        {children}
      </div>
    </>
  )
}

interface FilterProps<T extends string> {
  label: string
  /** Label of the option that shows all entries. */
  allLabel: string
  options: Partial<Record<T, string>>
  value: T | undefined
  onChange: (value: T | undefined) => void
}

export function Filter<T extends string>(props: FilterProps<T>) {
  const { label, allLabel, options, value, onChange } = props
  return (
    <Select
      label={label}
      hidesLabel
      value={value ?? ''}
      onChange={({ target }) => onChange((target.value || undefined) as T | undefined)}
    >
      <option value="">{allLabel}</option>
      <Options entries={Object.entries<string>(options as Record<string, string>)} />
    </Select>
  )
}

export function DecisionLines({ decisions }: { decisions: readonly Decision[] }) {
  const t = useTexts(deskTexts)
  return (
    <ul className="box" aria-label={t.decisions}>
      {decisions.map((decision) => (
        <li key={decision.id} className={styles.line}>
          <DecisionLine decision={decision} />
        </li>
      ))}
    </ul>
  )
}

export function DecisionLine({ decision }: { decision: Decision }) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const formats = useFormats()
  const viewer = useViewer()
  const { mutate: undo, isPending } = useUndo()
  const { action, subject, subject_user, reason, rule, rating, since, status } = decision
  const { affected_count, decided_by, undone_by, created_at } = decision
  return (
    <>
      <span className={styles.facts}>
        <strong>
          {wordOf(words.actions, action)} · {wordOf(words.kinds, subject.kind)}
        </strong>
        {subject_user && (
          <Link to="/creators/$handle" params={{ handle: subject_user.handle }}>
            @{subject_user.handle}
          </Link>
        )}
        {rating && <Badge>{wordOf(words.ratings, rating)}</Badge>}
        {since && <Badge>{words.sinceTime(formats.dateTime(since))}</Badge>}
        {action === 'sweep' && <Badge>{t.count(affected_count)}</Badge>}
        {status !== 'in_effect' && <Badge tone="warn">{wordOf(words.statuses, status)}</Badge>}
      </span>
      {canUndo(decision, viewer?.role === 'admin') && (
        <Button size="small" busy={isPending} onClick={() => undo([decision])}>
          {t.undo}
        </Button>
      )}
      <p className={styles.text}>{reason}</p>
      <p className="fine">
        {rule && `${t.ruleNamed(rule.text)} · `}
        {t.by(decided_by?.display_name ?? t.operator)} · <Time time={created_at} />
        {undone_by && ` · ${t.undoneBy(undone_by.display_name)}`}
      </p>
    </>
  )
}
