import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UserCheck } from 'lucide-react'
import type { Application, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { adminPage } from './AdminPage.tsx'
import { Ask } from './forms.tsx'
import { texts } from './joinTexts.ts'

const route = getRouteApi('/admin/applications')
type Status = NonNullable<InputOf<'listApplications'>['status']>

function applicationsQuery(status: Status) {
  return byPages(['admin', 'applications', status], (page, signal) =>
    plaza.registration.listApplications({ status, page, per_page: 50 }, { signal }),
  )
}

export const Applications = adminPage('applications', Shown)

function Shown() {
  const t = useTexts(texts)
  const { status = 'pending' } = route.useSearch()
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
              <One key={application.id} application={application} />
            ))}
          </div>
        )}
      </Entries>
    </>
  )
}

function One({ application }: { application: Application }) {
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
