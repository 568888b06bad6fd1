/** Parts of all pages for moderators. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { openQuery } from '../session/staff.ts'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { Select } from '../ui/Field.tsx'
import { Options } from '../ui/Form.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'

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
  return (
    <>
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
      <div className={styles.filters} role="group" aria-label={t.filters}>
        {children}
      </div>
    </>
  )
}

function Open({ count = 0 }: { count: number | undefined }) {
  return count > 0 ? <span className={styles.open}>{count}</span> : null
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
