/** Parts of all pages for moderators. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { openQuery } from '../session/viewer.ts'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Options, Select } from '../ui/Field.tsx'
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
