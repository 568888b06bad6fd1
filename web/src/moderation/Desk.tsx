import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CircleCheck, Keyboard } from 'lucide-react'
import { useState } from 'react'
import type { Case, DataOf } from '#sdk'
import { useKeys } from '../contents/keys.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { entriesOf } from '../lists/paging.ts'
import { useViewer } from '../session/viewer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { KeyList } from '../ui/KeyList.tsx'
import { Page } from '../ui/Page.tsx'
import { Panes } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import {
  type Action,
  actionsOn,
  type CaseFilter,
  caseQuery,
  casesQuery,
  excerptOf,
  isHideable,
  KEYS,
  useAssign,
} from './cases.ts'
import { CaseView } from './CaseView.tsx'
import { DecideDialog } from './DecideDialog.tsx'
import { deskPage, DeskTabs, Filter } from './deskParts.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { texts, wordOf } from './texts.ts'

const route = getRouteApi('/moderation')
const POLL_MS = 30_000

export const Desk = deskPage(Shown)

function Shown() {
  const t = useTexts(deskTexts)
  const viewer = useViewer()
  const { case: openId, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({ ...casesQuery(filter), refetchInterval: POLL_MS })
  const cases = entriesOf(query.data?.pages, (page) => page.cases)
  const { data: detail } = useQuery({ ...caseQuery(openId ?? ''), enabled: openId !== undefined })
  const open = detail?.case ?? cases.find(({ id }) => id === openId)
  const { mutate: assign } = useAssign()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [deciding, setDeciding] = useState<{ action: Action; cases: readonly Case[] }>()
  const [showsKeys, setShowsKeys] = useState(false)

  const show = (id: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, case: id }), resetScroll: false })
  const toggle = (id: string) =>
    setPicked(
      (now) => new Set(now.has(id) ? [...now].filter((entry) => entry !== id) : [...now, id]),
    )
  const openIndex = cases.findIndex(({ id }) => id === openId)
  const move = (by: 1 | -1) => {
    const next = cases[openIndex < 0 ? 0 : openIndex + by]
    if (!next) return
    show(next.id)
    document.getElementById(next.id)?.focus()
  }
  const end = () => {
    const decided = new Set(deciding?.cases.map(({ id }) => id))
    setDeciding(undefined)
    setPicked(new Set())
    if (!openId || !decided.has(openId)) return
    const left = ({ id }: Case) => !decided.has(id)
    show((cases.slice(openIndex + 1).find(left) ?? cases.findLast(left))?.id)
  }
  const act = (action: Action) => open && setDeciding({ action, cases: [open] })
  useKeys((key, isHeld) => {
    if (key === 'j') move(1)
    else if (key === 'k') move(-1)
    else if (isHeld) return false
    else if (key === '?') setShowsKeys(true)
    else if (!open || open.status !== 'open') return false
    else if (key === 'a') {
      assign({ id: open.id, isAssigned: open.assignee?.id !== viewer?.id })
    } else if (key === 'x') toggle(open.id)
    else {
      const action = actionsOn(open, viewer?.role === 'admin').find(
        (choice) => KEYS[choice] === key,
      )
      if (!action) return false
      act(action)
    }
    return true
  })
  const chosen = cases.filter(({ id }) => picked.has(id))
  return (
    <Page title={t.title} hidesTitle width="full">
      <Panes
        labels={[t.cases, t.case]}
        list={
          <>
            <div className={styles.head}>
              <Filters
                filter={filter}
                onChange={(change) => {
                  setPicked(new Set())
                  void navigate({
                    search: (now) => ({ ...now, ...change, case: undefined }),
                    replace: true,
                  })
                }}
              />
              {chosen.length > 0 && (
                <div className={styles.bulk} role="status">
                  <span>{t.selected(chosen.length)}</span>
                  {chosen.every(isHideable) && (
                    <Button
                      size="small"
                      look="danger"
                      onClick={() => setDeciding({ action: 'hide', cases: chosen })}
                    >
                      {t.hideAll}
                    </Button>
                  )}
                  <Button
                    size="small"
                    onClick={() => setDeciding({ action: 'none', cases: chosen })}
                  >
                    {t.dismissAll}
                  </Button>
                  <Button size="small" look="plain" onClick={() => setPicked(new Set())}>
                    {t.clear}
                  </Button>
                </div>
              )}
            </div>
            <List query={query} picked={picked} onPick={toggle} />
          </>
        }
        open={openId !== undefined && <CaseView key={openId} id={openId} onAct={act} />}
        nothing={
          <Empty
            icon={<Keyboard />}
            title={t.choose}
            action={<Button onClick={() => setShowsKeys(true)}>{t.keys}</Button>}
          >
            {t.chooseHelp}
          </Empty>
        }
      />
      {deciding && (
        <DecideDialog {...deciding} onClose={() => setDeciding(undefined)} onDone={end} />
      )}
      <KeyHelp isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </Page>
  )
}

interface FiltersProps {
  filter: CaseFilter
  onChange: (filter: CaseFilter) => void
}

function Filters({ filter, onChange }: FiltersProps) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const { file: _, ...kinds } = words.kinds
  return (
    <DeskTabs>
      <Filter
        label={words.status}
        allLabel={t.open}
        options={{ decided: t.decided }}
        value={filter.status}
        onChange={(status) => onChange({ status })}
      />
      <Filter
        label={t.kind}
        allLabel={t.allKinds}
        options={kinds}
        value={filter.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <Filter
        label={words.reason}
        allLabel={t.allReasons}
        options={words.reasons}
        value={filter.reason}
        onChange={(reason) => onChange({ reason })}
      />
      <Filter
        label={t.assignee}
        allLabel={t.anyone}
        options={{ me: t.mine, none: t.unassigned }}
        value={filter.assignee}
        onChange={(assignee) => onChange({ assignee })}
      />
    </DeskTabs>
  )
}

interface ListProps {
  query: UseInfiniteQueryResult<InfiniteData<DataOf<'listCases'>>>
  picked: ReadonlySet<string>
  onPick: (id: string) => void
}

function List({ query, picked, onPick }: ListProps) {
  const t = useTexts(deskTexts)
  return (
    <Entries
      query={query}
      target={({ cases }) => cases}
      skeleton={<TableSkeleton />}
      empty={
        <Empty icon={<CircleCheck />} title={t.none}>
          {t.noneHelp}
        </Empty>
      }
    >
      {(cases) => (
        <ul className={styles.rows} aria-label={t.cases}>
          {cases.map((item) => (
            <Row
              key={item.id}
              item={item}
              isPicked={picked.has(item.id)}
              onPick={() => onPick(item.id)}
            />
          ))}
        </ul>
      )}
    </Entries>
  )
}

interface RowProps {
  item: Case
  isPicked: boolean
  onPick: () => void
}

function Row({ item, isPicked, onPick }: RowProps) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const search = route.useSearch()
  const { id, subject, subject_user, reasons, report_count, assignee, decision, opened_at } = item
  const excerpt = excerptOf(item)
  return (
    <li className={styles.row}>
      {item.status === 'open' && (
        <input
          type="checkbox"
          aria-label={t.select(excerpt)}
          checked={isPicked}
          onChange={onPick}
        />
      )}
      <Link
        id={id}
        to="/moderation"
        search={{ ...search, case: id }}
        resetScroll={false}
        activeOptions={{ exact: true, includeSearch: true }}
      >
        <span className={styles.facts}>
          <strong>{wordOf(words.kinds, subject.kind)}</strong>
          {subject_user && <span>@{subject_user.handle}</span>}
          {report_count > 1 && <Badge tone="warn">{t.reports(report_count)}</Badge>}
          {assignee && <Badge tone="accent">@{assignee.handle}</Badge>}
          {decision && <Badge>{wordOf(words.actions, decision.action)}</Badge>}
        </span>
        <span className={styles.excerpt}>{excerpt}</span>
        <span className="fine">
          {Object.keys(reasons)
            .map((reason) => wordOf(words.reasons, reason))
            .join(', ')}{' '}
          · <Time time={opened_at} />
        </span>
      </Link>
    </li>
  )
}

function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts(deskTexts)
  const { next, assign, select, help } = t.keyList
  const acts = (Object.keys(KEYS) as Action[]).map(
    (action) => [t.acts[action], [KEYS[action].toUpperCase()]] as const,
  )
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.keys} isToRead>
      <KeyList
        rows={[[next, ['J', 'K']], ...acts, [assign, ['A']], [select, ['X']], [help, ['?']]]}
      />
    </Dialog>
  )
}
