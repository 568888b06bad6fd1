import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldBan } from 'lucide-react'
import { useState } from 'react'
import type { Ban, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { Options, Select } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Table, TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { adminPage } from './AdminPage.tsx'
import { AdminForm, Ask, bindTo, LineField, MomentField, useAct } from './forms.tsx'
import { texts } from './joinTexts.ts'

const bansQuery = byPages(['admin', 'bans'], (page, signal) =>
  plaza.registration.listBans({ page, per_page: 50 }, { signal }),
)

export const Bans = adminPage('bans', Shown)

function Shown() {
  const t = useTexts(texts)
  const query = useInfiniteQuery(bansQuery)
  return (
    <div className={styles.panels}>
      <NewBan />
      <Entries
        query={query}
        target={({ bans }) => bans}
        skeleton={<TableSkeleton />}
        empty={
          <Empty icon={<ShieldBan />} title={t.noBans}>
            {t.noBansHelp}
          </Empty>
        }
      >
        {(bans) => (
          <Table
            label={t.bans}
            heads={[t.value, t.kind, t.reason, t.until, t.by]}
            actions={t.actions}
          >
            {bans.map((ban) => (
              <Row key={ban.id} ban={ban} />
            ))}
          </Table>
        )}
      </Entries>
    </div>
  )
}

type Draft = Required<InputOf<'createBan'>>
const EMPTY: Draft & { reason: string } = {
  kind: 'email_domain',
  value: '',
  reason: '',
  until: null,
}

function NewBan() {
  const t = useTexts(texts)
  const [draft, setDraft] = useState(EMPTY)
  const { mutate, isPending, error } = useAct(
    (input: Draft) => plaza.registration.createBan(input),
    t.banCreated,
    () => setDraft(EMPTY),
  )
  const bind = bindTo(draft, setDraft, error)
  const isNetwork = draft.kind === 'network'
  return (
    <Panel title={t.newBan}>
      <AdminForm
        error={error}
        fields={['kind', 'value', 'reason', 'until']}
        submit={t.createBan}
        isBusy={isPending}
        onSubmit={() => mutate({ ...draft, reason: draft.reason || null })}
      >
        <div className={styles.pair}>
          <Select
            label={t.kind}
            value={draft.kind}
            onChange={({ target }) => setDraft({ ...draft, kind: target.value as Draft['kind'] })}
          >
            <Options entries={Object.entries(t.kinds)} />
          </Select>
          <LineField
            {...bind('value')}
            label={t.kinds[draft.kind]}
            hint={isNetwork ? t.networkHint : t.domainHint}
            placeholder={isNetwork ? '203.0.113.0/24' : 'example.com'}
            spellCheck="false"
            maxLength={253}
          />
          <LineField {...bind('reason')} label={t.reasonOptional} maxLength={1000} />
          <MomentField {...bind('until')} label={t.untilOptional} hint={t.untilHint} />
        </div>
      </AdminForm>
    </Panel>
  )
}

function Row({ ban: { id, kind, value, reason, until, created_by } }: { ban: Ban }) {
  const t = useTexts(texts)
  return (
    <tr>
      <td>
        <code>{value}</code>
      </td>
      <td className={styles.nowrap}>{t.kinds[kind as keyof typeof t.kinds] ?? kind}</td>
      <td className={styles.reason}>{reason}</td>
      <td className={styles.nowrap}>{until ? <Time time={until} /> : t.forEver}</td>
      <td>@{created_by.handle}</td>
      <td>
        <Ask
          label={t.remove}
          title={t.removeBanAsk(value)}
          description={t.removeBanHelp}
          done={t.banRemoved}
          isDangerous
          act={() => plaza.registration.deleteBan(id)}
        />
      </td>
    </tr>
  )
}
