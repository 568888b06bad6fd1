import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Gavel } from 'lucide-react'
import type { Decision } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { DecisionLines } from './DecisionLines.tsx'
import { deskPage, DeskTabs, Filter } from './DeskTabs.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { type DecisionFilter, decisionsQuery } from './queries.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/moderation/decisions')

const POLL_MS = 2000

/** True while a job applies or undoes the decision. */
function isRunning({ status }: Decision): boolean {
  return status === 'applying' || status === 'undoing'
}

export const DeskDecisions = deskPage(Shown)

function Shown() {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
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
