import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { UserSearch } from 'lucide-react'
import type { AdminUser } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import { Pager, SearchBox, Table, TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { Avatar } from '../ui/User.tsx'
import styles from './admin.module.css'
import { adminPage } from './adminParts.tsx'
import { texts } from './texts.ts'

const route = getRouteApi('/admin/members')

const PER_PAGE = 50

function usersQuery(q: string | undefined, page: number) {
  return queryOptions({
    queryKey: ['admin', 'members', q ?? null, page],
    queryFn: ({ signal }) =>
      plaza.users.list({ page, per_page: PER_PAGE, ...(q && { q }) }, { signal }),
  })
}

export const Users = adminPage('members', Shown)

function Shown() {
  const t = useTexts(texts)
  const formats = useFormats()
  const { q, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({ ...usersQuery(q, page), placeholderData: keepPreviousData })
  const search = (text: string) =>
    void navigate({ search: { q: text || undefined }, replace: true, resetScroll: false })
  return (
    <>
      <div className={styles.bar}>
        <SearchBox label={t.search} hint={t.searchHint} q={q ?? ''} onSearch={search} />
        <p className={styles.muted} role="status">
          {query.data && t.found(formats.number(query.data.pagination.total))}
        </p>
      </div>
      <Loaded query={query} skeleton={<TableSkeleton rows={10} />}>
        {({ users, pagination }) =>
          users.length === 0 ? (
            <Empty
              icon={<UserSearch />}
              title={t.nobody}
              action={<Button onClick={() => void navigate({ search: {} })}>{t.clear}</Button>}
            >
              {t.nobodyHelp}
            </Empty>
          ) : (
            <>
              <UserTable users={users} isBusy={query.isPlaceholderData} />
              <Pager
                page={page}
                pages={pagination.total_pages}
                onPage={(next) =>
                  void navigate({ search: { q, page: next > 1 ? next : undefined } })
                }
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

interface Props {
  users: readonly AdminUser[]
  isBusy: boolean
}

function UserTable({ users, isBusy }: Props) {
  const t = useTexts(texts)
  return (
    <Table
      label={t.users}
      heads={[t.user, t.email, t.role, t.state, t.joined, t.lastSeen]}
      isBusy={isBusy}
    >
      {users.map((user) => (
        <Row key={user.id} user={user} />
      ))}
    </Table>
  )
}

function Row({ user }: { user: AdminUser }) {
  const t = useTexts(texts)
  const { id, handle, display_name, email, role, is_suspended, created_at, last_seen_at } = user
  return (
    <tr>
      <td>
        <Link to="/admin/members/$id" params={{ id }} className={styles.person}>
          <Avatar user={user} size={32} />
          <span>
            <strong className="clip">{display_name}</strong>
            <span className={`${styles.muted} clip`}>@{handle}</span>
          </span>
        </Link>
      </td>
      <td>{email}</td>
      <td className={styles.nowrap}>
        <RoleMark role={role} />
      </td>
      <td>
        <StateMark is_suspended={is_suspended} />
      </td>
      <td className={styles.nowrap}>
        <Time time={created_at} />
      </td>
      <td className={styles.nowrap}>{last_seen_at ? <Time time={last_seen_at} /> : t.never}</td>
    </tr>
  )
}

export function RoleMark({ role }: Pick<AdminUser, 'role'>) {
  const t = useTexts(texts)
  const word = t.roles[role as keyof typeof t.roles] ?? role
  return role === 'admin' ? <Badge tone="accent">{word}</Badge> : <>{word}</>
}

function StateMark({ is_suspended }: Pick<AdminUser, 'is_suspended'>) {
  const t = useTexts(texts)
  return is_suspended ? <Badge tone="bad">{t.suspended}</Badge> : <>{t.active}</>
}

export function Marks({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const t = useTexts(texts)
  const { handle, role, is_suspended } = user
  return (
    <span className={styles.title}>
      <span>@{handle}</span>
      {isOwn && <Badge>{t.you}</Badge>}
      {role === 'admin' && <RoleMark role={role} />}
      <StateMark is_suspended={is_suspended} />
    </span>
  )
}
