import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../language/texts.ts'
import { openQuery } from '../session/staff.ts'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'

const POLL_MS = 30_000
/** Selects the active tab by its path only, because filters of a list are in the query. */
const PATH_ONLY = { exact: true, includeSearch: false }

export function DeskTabs() {
  const t = useTexts(deskTexts)
  const { data } = useQuery({ ...openQuery, refetchInterval: POLL_MS })
  return (
    <Tabs label={t.title}>
      <Tab to="/moderation" activeOptions={PATH_ONLY}>
        {t.cases}
        <Open count={data?.open_cases} />
      </Tab>
      <Tab to="/moderation/decisions" activeOptions={PATH_ONLY}>
        {t.decisions}
      </Tab>
      <Tab to="/moderation/appeals" activeOptions={PATH_ONLY}>
        {t.appeals}
        <Open count={data?.open_appeals} />
      </Tab>
    </Tabs>
  )
}

function Open({ count = 0 }: { count: number | undefined }) {
  return count > 0 ? <span className={styles.open}>{count}</span> : null
}
