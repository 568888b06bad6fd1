import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { AdminUserDetail } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { useViewer } from '../session/viewer.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Columns, Copied, Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { AuditTable } from './Audit.tsx'
import { Role, Suspension } from './Change.tsx'
import { EraseUser } from './EraseUser.tsx'
import { Marks, RoleMark } from './UserTable.tsx'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { Permissions } from './Permissions.tsx'
import { ResetLink } from './ResetLink.tsx'
import styles from './admin.module.css'
import { auditQuery, userQuery } from './queries.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/admin/members/$id')

export function User() {
  const { id } = route.useParams()
  return (
    <OnlyAdmins>
      <UserLoader key={id} id={id} />
    </OnlyAdmins>
  )
}

function UserLoader({ id }: { id: string }) {
  const t = useTexts(texts)
  const { data: user, error, refetch } = useQuery(userQuery(id))
  if (user) return <Shown user={user} />
  return (
    <Page title={t.user} trail={<Link to="/admin/members">{t.users}</Link>}>
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Columns side={<Skeleton height="240px" />}>
          <Skeleton height="168px" />
          <Skeleton height="168px" />
        </Columns>
      )}
    </Page>
  )
}

function Shown({ user }: { user: AdminUserDetail }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const isOwn = viewer?.id === user.id
  return (
    <Page
      title={user.display_name}
      trail={<Link to="/admin/members">{t.users}</Link>}
      lead={<Marks user={user} isOwn={isOwn} />}
      actions={
        !user.is_suspended && (
          <LinkButton to="/creators/$handle" params={{ handle: user.handle }}>
            {t.profile}
          </LinkButton>
        )
      }
    >
      <Columns side={<Details user={user} />}>
        <Activity user={user} />
        <ResetLink id={user.id} />
        <Suspension user={user} isOwn={isOwn} />
        <Role user={user} isOwn={isOwn} />
        <Permissions user={user} />
        <EraseUser user={user} isOwn={isOwn} />
        <Audit id={user.id} />
      </Columns>
    </Page>
  )
}

function Details({ user }: { user: AdminUserDetail }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { id, email, role, created_at, last_seen_at } = user
  return (
    <Panel title={t.details} isAside>
      <Facts>
        <Fact name={t.email}>{email}</Fact>
        <Fact name={t.role}>
          <RoleMark role={role} />
        </Fact>
        <Fact name={t.joined}>{formats.dateTime(created_at)}</Fact>
        <Fact name={t.lastSeen}>{last_seen_at ? <Time time={last_seen_at} /> : t.never}</Fact>
        <Fact name={t.id}>
          <Copied text={id} label={t.copyId} />
        </Fact>
      </Facts>
    </Panel>
  )
}

function Activity({ user: { activity } }: { user: AdminUserDetail }) {
  const t = useTexts(texts)
  const formats = useFormats()
  return (
    <Panel title={t.activity}>
      <dl className={styles.counts}>
        {Object.entries(t.counts).map(([name, label]) => (
          <div key={name}>
            <dt className="fine">{label}</dt>
            <dd>{formats.number(activity[name as keyof typeof activity])}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function Audit({ id }: { id: string }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(auditQuery(id))
  return (
    <section aria-labelledby="audit">
      <div className={styles.bar}>
        <h2 id="audit">{t.audit}</h2>
      </div>
      <Entries
        query={query}
        target={({ audit }) => audit}
        skeleton={<TableSkeleton rows={2} />}
        empty={<p className={styles.muted}>{t.auditEmpty}</p>}
      >
        {(entries) => <AuditTable entries={entries} />}
      </Entries>
    </section>
  )
}
