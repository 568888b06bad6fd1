import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Account as AccountRecord, InputOf } from '#sdk'
import { BlocksPart } from '../creators/BlocksPart.tsx'
import { PasswordField } from '../join/formParts.tsx'
import { PASSWORD_MAX, PASSWORD_MIN, passwordLengthOf } from '../join/rules.ts'
import { changeLook, useLook } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Checkbox, fieldErrorsOf, Radios } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Loaded, Problem } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import styles from './Account.module.css'
import { DataPart, DeletionNotice } from './DataPart.tsx'
import { type ProfileDraft, ProfilePart } from './ProfilePart.tsx'
import { sessionsQuery, useUpdate } from './queries.ts'
import { SecurityPart } from './SecurityPart.tsx'
import { SessionsPart } from './SessionsPart.tsx'
import { Choice } from './settings.tsx'
import { texts } from './texts.ts'

const route = getRouteApi('/account')

export function Account() {
  const t = useTexts(texts)
  const { part } = route.useSearch()
  const query = useQuery(viewerQuery)
  return (
    <Page title={t.title} width="reading">
      {query.data?.deletion && <DeletionNotice deletion={query.data.deletion} />}
      <Tabs label={t.parts}>
        {PARTS.map((name) => (
          <Tab key={name} to="/account" search={{ part: name }}>
            {t[name ?? 'profile']}
          </Tab>
        ))}
      </Tabs>
      <h2 className="unseen">{t[part ?? 'profile']}</h2>
      <Loaded query={query} skeleton={<Bones />}>
        {(account) => <Part key={account.id} part={part} account={account} />}
      </Loaded>
    </Page>
  )
}

/** Parts of the page. Undefined is the profile, which URLs omit. */
const PARTS = [
  undefined,
  'password',
  'security',
  'sessions',
  'people',
  'filter',
  'look',
  'data',
] as const

interface PartProps {
  part: (typeof PARTS)[number]
  account: AccountRecord
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

const LANGUAGES = [
  ['ko', <span lang="ko">한국어</span>],
  ['en', <span lang="en">English</span>],
] as const

function LookPart() {
  const t = useTexts(texts)
  const { theme = 'system', language } = useLook()
  return (
    <div className={styles.form}>
      <Choice
        title={t.theme}
        options={(['system', 'light', 'dark'] as const).map((name) => [name, t[name]])}
        value={theme}
        onChange={(name) => changeLook({ theme: name === 'system' ? undefined : name })}
      />
      <Choice
        title={t.language}
        options={LANGUAGES}
        value={language}
        onChange={(chosen) => changeLook({ language: chosen })}
      />
      <p className="fine">{t.lookHelp}</p>
    </div>
  )
}

const ADULT = ['hide', 'blur', 'show'] as const

/** Account settings that hide or blur content, and that allow search engines to list the profile. */
function FilterPart({ account }: { account: AccountRecord }) {
  const t = useTexts(texts)
  const { mutate, isPending, error } = useUpdate(t.saved)
  const { content_filter, is_indexed } = account
  const save = (change: InputOf<'updateMe'>) => !isPending && mutate(change)
  return (
    <div className={styles.form}>
      <Radios
        legend={t.adult}
        options={ADULT.map((choice) => [choice, t.adultChoices[choice]])}
        value={content_filter.adult as (typeof ADULT)[number]}
        onChange={(adult) => save({ content_filter: { adult } })}
      />
      <Checkbox
        label={t.flashing}
        checked={content_filter.flashing === 'blur'}
        onChange={({ target }) =>
          save({ content_filter: { flashing: target.checked ? 'blur' : 'show' } })
        }
      />
      <Checkbox
        label={t.indexed}
        hint={t.indexedHelp}
        checked={is_indexed}
        onChange={({ target }) => save({ is_indexed: target.checked })}
      />
      {error && <Problem error={error} />}
    </div>
  )
}

function PasswordPart({ account }: { account: AccountRecord }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [tries, setTries] = useState(0)
  const { mutate, isPending, error } = useUpdate(t.passwordChanged, () => {
    setCurrent('')
    setWanted('')
    setTries(0)
    void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  })
  const said = fieldErrorsOf(error)
  const length = passwordLengthOf(wanted)
  const ownWrong = length < PASSWORD_MIN ? t.passwordMore(PASSWORD_MIN - length) : t.passwordOver
  const isGood = length >= PASSWORD_MIN && length <= PASSWORD_MAX
  const wrong = tries > 0 && !isGood ? ownWrong : said['new_password']
  const submit = () => {
    if (current && isGood) mutate({ current_password: current, new_password: wanted })
    else setTries(tries + 1)
  }
  return (
    <Form
      error={error}
      fields={['current_password', 'new_password']}
      tries={tries}
      submit={t.changePassword}
      isBusy={isPending}
      onSubmit={submit}
      beside={<p className="fine">{t.passwordNote}</p>}
    >
      {/* Hidden field from which password managers read the handle of the account. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={account.handle}
        hidden
        readOnly
      />
      <PasswordField
        label={t.currentPassword}
        error={tries > 0 && !current ? t.currentMissing : said['current_password']}
        value={current}
        autoComplete="current-password"
        required
        onChange={({ target }) => setCurrent(target.value)}
      />
      <div className={styles.wanted}>
        <PasswordField
          label={t.newPassword}
          hint={t.passwordHelp}
          error={wrong}
          value={wanted}
          autoComplete="new-password"
          required
          onChange={({ target }) => setWanted(target.value)}
        />
        <Length length={length} isSaid={wrong !== undefined} />
      </div>
    </Form>
  )
}

const LONG = 20

/** Meter of a password's length. `isSaid` omits the meter's text when the field already shows an error. */
function Length({ length, isSaid }: { length: number; isSaid: boolean }) {
  const t = useTexts(texts)
  const share = Math.min(1, length / LONG)
  const isEnough = length >= PASSWORD_MIN && length <= PASSWORD_MAX
  const enough = length < LONG ? t.passwordEnough(length) : t.passwordLong(length)
  const over = length > PASSWORD_MAX ? t.passwordOver : enough
  const words = length < PASSWORD_MIN ? t.passwordMore(PASSWORD_MIN - length) : over
  return (
    <div className={styles.meter}>
      <div className={styles.track} aria-hidden="true">
        <div
          className={`${styles.fill} ${isEnough ? styles.enough : ''}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {!isSaid && <p>{words}</p>}
      {/* Screen readers announce this once, when the password is long enough, instead of on every keystroke. */}
      <p className="unseen" role="status">
        {isEnough && t.passwordGood}
      </p>
    </div>
  )
}
