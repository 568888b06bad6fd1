import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Account as Person } from '#sdk'
import { BlocksPart } from '../creators/BlocksPart.tsx'
import { useTexts } from '../language/texts.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import styles from './Account.module.css'
import { DataPart } from './DataPart.tsx'
import { DeletionNotice } from './Deletion.tsx'
import { FilterPart } from './FilterPart.tsx'
import { PasswordPart } from './PasswordPart.tsx'
import { type ProfileDraft, ProfilePart } from './ProfilePart.tsx'
import { SecurityPart } from './SecurityPart.tsx'
import { SessionsPart } from './SessionsPart.tsx'
import { texts } from './texts.ts'
import { type Language, type Theme, changeLook, useLook } from '../language/look.ts'

const route = getRouteApi('/account')

export function Account() {
  const t = useTexts(texts)
  const { part } = route.useSearch()
  const { data: account, error, refetch } = useQuery(viewerQuery)
  return (
    <Page title={t.title} width="reading">
      {account?.deletion && <DeletionNotice deletion={account.deletion} />}
      <Tabs label={t.parts}>
        <Tab to="/account" search={{ part: undefined }}>
          {t.profile}
        </Tab>
        <Tab to="/account" search={{ part: 'password' }}>
          {t.password}
        </Tab>
        <Tab to="/account" search={{ part: 'security' }}>
          {t.security}
        </Tab>
        <Tab to="/account" search={{ part: 'sessions' }}>
          {t.sessions}
        </Tab>
        <Tab to="/account" search={{ part: 'people' }}>
          {t.people}
        </Tab>
        <Tab to="/account" search={{ part: 'filter' }}>
          {t.filter}
        </Tab>
        <Tab to="/account" search={{ part: 'look' }}>
          {t.look}
        </Tab>
        <Tab to="/account" search={{ part: 'data' }}>
          {t.data}
        </Tab>
      </Tabs>
      <h2 className="unseen">{t[part ?? 'profile']}</h2>
      {account && <Part key={account.id} part={part} account={account} />}
      {!account && error && <Problem error={error} retry={() => void refetch()} />}
      {!account && !error && <Bones />}
    </Page>
  )
}

interface PartProps {
  part: 'password' | 'security' | 'sessions' | 'people' | 'filter' | 'look' | 'data' | undefined
  account: Person
}

function Part({ part, account }: PartProps) {
  const [draft, setDraft] = useState<ProfileDraft>({})
  if (part === 'password') return <PasswordPart account={account} />
  if (part === 'security') return <SecurityPart account={account} />
  if (part === 'sessions') return <SessionsPart account={account} />
  if (part === 'people') return <BlocksPart account={account} />
  if (part === 'look') return <LookPart />
  if (part === 'filter') return <FilterPart account={account} />
  if (part === 'data') return <DataPart account={account} />
  return <ProfilePart account={account} draft={draft} onDraft={setDraft} />
}

function Bones() {
  return (
    <Loading className={styles.form}>
      <div className={styles.picture}>
        <Skeleton width="96px" height="96px" round />
        <Skeleton width="160px" height="40px" />
      </div>
      <Skeleton height="66px" />
      <Skeleton height="140px" />
    </Loading>
  )
}

const THEMES: readonly { theme: Theme | undefined; name: 'system' | 'light' | 'dark' }[] = [
  { theme: undefined, name: 'system' },
  { theme: 'light', name: 'light' },
  { theme: 'dark', name: 'dark' },
]

const LANGUAGES: readonly { language: Language; name: string }[] = [
  { language: 'ko', name: '한국어' },
  { language: 'en', name: 'English' },
]

function LookPart() {
  const t = useTexts(texts)
  const look = useLook()
  return (
    <div className={styles.look}>
      <Choice
        title={t.theme}
        options={THEMES.map(({ theme, name }) => ({
          name: t[name],
          isChosen: look.theme === theme,
          choose: () => changeLook({ theme }),
        }))}
      />
      <Choice
        title={t.language}
        options={LANGUAGES.map(({ language, name }) => ({
          name,
          lang: language,
          isChosen: look.language === language,
          choose: () => changeLook({ language }),
        }))}
      />
      <p className={styles.help}>{t.lookHelp}</p>
    </div>
  )
}

interface Option {
  name: string
  lang?: Language
  isChosen: boolean
  choose: () => void
}

function Choice({ title, options }: { title: string; options: readonly Option[] }) {
  const group = useId()
  return (
    <fieldset className={styles.choice}>
      <legend>{title}</legend>
      <div className={styles.options}>
        {options.map(({ name, lang, isChosen, choose }) => (
          <label key={name} className={styles.option} lang={lang}>
            <input type="radio" name={group} checked={isChosen} onChange={choose} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
