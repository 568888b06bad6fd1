import type { AdminUser } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import styles from './admin.module.css'
import { texts } from './texts.ts'

export function RoleMark({ role }: Pick<AdminUser, 'role'>) {
  const t = useTexts(texts)
  const word = t.roles[role as keyof typeof t.roles] ?? role
  return role === 'admin' ? <Badge tone="accent">{word}</Badge> : <>{word}</>
}

export function StateMark({ is_suspended }: Pick<AdminUser, 'is_suspended'>) {
  const t = useTexts(texts)
  return is_suspended ? (
    <Badge tone="bad">{t.suspended}</Badge>
  ) : (
    <Badge tone="good">{t.active}</Badge>
  )
}

/** Shows the handle and badges below a user's name. */
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
