import { Link } from '@tanstack/react-router'
import type { AdminUser } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import { Table } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { Avatar } from '../ui/User.tsx'
import styles from './admin.module.css'
import { texts } from './texts.ts'

interface Props {
  users: readonly AdminUser[]
  isBusy: boolean
}

export function UserTable({ users, isBusy }: Props) {
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
