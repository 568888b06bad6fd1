/** Sections for applications, and for bans of email domains and networks. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ShieldBan, UserCheck } from 'lucide-react'
import { useState } from 'react'
import type { Application, Ban, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { Options, Select } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Table, TableSkeleton } from '../ui/Table.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { AdminForm, adminPage, Ask, bindTo, LineField, MomentField, useAct } from './adminParts.tsx'
import { texts } from './joinTexts.ts'

const applicationsRoute = getRouteApi('/admin/applications')
type Status = NonNullable<InputOf<'listApplications'>['status']>

function applicationsQuery(status: Status) {
  return byPages(['admin', 'applications', status], (page, signal) =>
    plaza.registration.listApplications({ status, page, per_page: 50 }, { signal }),
  )
}

export const Applications = adminPage('applications', ApplicationList)

function ApplicationList() {
  const t = useTexts(texts)
  const { status = 'pending' } = applicationsRoute.useSearch()
  const query = useInfiniteQuery(applicationsQuery(status))
  return (
    <>
      <Tabs label={t.status}>
        {(['pending', 'approved', 'rejected', 'expired'] as const).map((name) => (
          <Tab
            key={name}
            to="/admin/applications"
            search={{ status: name === 'pending' ? undefined : name }}
          >
            {t.statuses[name]}
          </Tab>
        ))}
      </Tabs>
      <Entries
        query={query}
        target={({ applications }) => applications}
        skeleton={<Skeleton height="180px" />}
        empty={
          <Empty icon={<UserCheck />} title={t.noApplications}>
            {status === 'pending' && t.noApplicationsHelp}
          </Empty>
        }
      >
        {(applications) => (
          <div className={styles.panels}>
            {applications.map((application) => (
              <ApplicationPanel key={application.id} application={application} />
            ))}
          </div>
        )}
      </Entries>
    </>
  )
}

function ApplicationPanel({ application }: { application: Application }) {
  const t = useTexts(texts)
  const { id, handle, display_name, email, ip, status, reason, decided_by, decided_at } =
    application
  const isDecided = status !== 'pending'
  return (
    <Panel title={`${display_name} @${handle}`}>
      <p className={styles.words}>{application.application}</p>
      <Facts>
        <Fact name={t.email}>{email}</Fact>
        {ip && <Fact name={t.address}>{ip}</Fact>}
        <Fact name={t.applied}>
          <Time time={application.created_at} />
        </Fact>
        {isDecided && decided_at && (
          <Fact name={t.decided}>
            <Time time={decided_at} /> {decided_by && `@${decided_by.handle}`}
          </Fact>
        )}
        {reason && <Fact name={t.reason}>{reason}</Fact>}
      </Facts>
      {!isDecided && (
        <div className={styles.buttons}>
          <Ask
            label={t.approve}
            title={t.approveAsk(handle)}
            description={t.approveHelp}
            done={t.approved}
            reasonHint={t.reasonHint}
            act={(given) =>
              plaza.registration.approveApplication(id, { ...(given && { reason: given }) })
            }
          />
          <Ask
            label={t.reject}
            title={t.rejectAsk(handle)}
            description={t.rejectHelp}
            done={t.rejected}
            isDangerous
            reasonHint={t.reasonHint}
            act={(given) =>
              plaza.registration.rejectApplication(id, { ...(given && { reason: given }) })
            }
          />
        </div>
      )}
    </Panel>
  )
}

const bansQuery = byPages(['admin', 'bans'], (page, signal) =>
  plaza.registration.listBans({ page, per_page: 50 }, { signal }),
)

export const Bans = adminPage('bans', BanList)

function BanList() {
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
              <BanRow key={ban.id} ban={ban} />
            ))}
          </Table>
        )}
      </Entries>
    </div>
  )
}

type BanDraft = Required<InputOf<'createBan'>>
const EMPTY_BAN: BanDraft & { reason: string } = {
  kind: 'email_domain',
  value: '',
  reason: '',
  until: null,
}

function NewBan() {
  const t = useTexts(texts)
  const [draft, setDraft] = useState(EMPTY_BAN)
  const { mutate, isPending, error } = useAct(
    (input: BanDraft) => plaza.registration.createBan(input),
    t.banCreated,
    () => setDraft(EMPTY_BAN),
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
            onChange={({ target }) =>
              setDraft({ ...draft, kind: target.value as BanDraft['kind'] })
            }
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

function BanRow({ ban: { id, kind, value, reason, until, created_by } }: { ban: Ban }) {
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
