import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminUserDetail, InputOf } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Code, Columns, Copied, Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { AdminForm, useAct } from './adminParts.tsx'
import { AuditTable } from './Audit.tsx'
import { texts } from './texts.ts'
import { auditQuery, EraseUser, Role, Suspension, userQuery } from './UserActions.tsx'
import { Marks, RoleMark } from './Users.tsx'

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

/**
 * Button that creates a link with which a user resets the password. On sites that send no mail, users cannot request
 * such a link themselves.
 */
function ResetLink({ id }: { id: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const queries = useQueryClient()
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => plaza.users.createResetLink(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: auditQuery(id).queryKey }),
  })
  return (
    <Panel title={t.password}>
      <p className={styles.muted}>{t.passwordHelp}</p>
      {error && <Problem error={error} />}
      <div role="status">
        {data?.url && (
          <>
            <Code text={data.url} label={t.resetLink} />
            <p className={styles.muted}>{t.resetLinkUntil(formats.dateTime(data.expires_at))}</p>
          </>
        )}
      </div>
      <div className={styles.buttons}>
        <Button busy={isPending} onClick={() => mutate()}>
          {t.createResetLink}
        </Button>
      </div>
    </Panel>
  )
}

type Permissions = InputOf<'updatePermissions'>['permissions']
const ALL: Permissions = ['moderate', 'members', 'site']

function Permissions({ user }: { user: AdminUserDetail }) {
  const t = useTexts(texts)
  const [draft, setDraft] = useState<Permissions>()
  const chosen = draft ?? ALL.filter((permission) => user.permissions.includes(permission))
  const { mutate, isPending, error } = useAct(
    (permissions: Permissions) => plaza.users.updatePermissions(user.id, { permissions }),
    t.permissionsChanged,
    () => setDraft(undefined),
  )
  if (user.role === 'admin') {
    return (
      <Panel title={t.permissions}>
        <p className={styles.muted}>{t.adminPermissions}</p>
      </Panel>
    )
  }
  return (
    <Panel title={t.permissions} hint={t.permissionsHelp}>
      <AdminForm
        error={error}
        submit={t.savePermissions}
        isBusy={isPending}
        onSubmit={() => mutate(chosen)}
      >
        {ALL.map((permission) => (
          <Checkbox
            key={permission}
            label={t.permissionNames[permission]}
            hint={t.permissionHints[permission]}
            checked={chosen.includes(permission)}
            onChange={({ target }) =>
              setDraft(
                ALL.filter((name) =>
                  name === permission ? target.checked : chosen.includes(name),
                ),
              )
            }
          />
        ))}
      </AdminForm>
    </Panel>
  )
}
