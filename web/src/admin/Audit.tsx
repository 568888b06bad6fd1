import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Copy } from '../ui/Copy.tsx'
import { Table } from '../ui/Table.tsx'
import styles from './admin.module.css'
import { UserTableSkeleton } from './MemberTable.tsx'
import { auditQuery } from './queries.ts'
import { texts } from './texts.ts'

/** Log of the administrators' changes to a user, newest first. */
export function Audit({ id }: { id: string }) {
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
        skeleton={<UserTableSkeleton rows={2} />}
        empty={<p className={styles.muted}>{t.auditEmpty}</p>}
      >
        {(entries) => (
          <Table label={t.audit} heads={[t.when, t.who, t.what, t.reason, t.request]}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </Table>
        )}
      </Entries>
    </section>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { actor, action, before, after, reason, request_id, created_at } = entry
  const roleOf = (role: string) => t.roles[role as keyof typeof t.roles] ?? role
  return (
    <tr>
      <td className={styles.nowrap}>{formats.dateTime(created_at)}</td>
      <td className={`${styles.nowrap} ${styles.actor}`}>
        {actor ? (
          <Link to="/admin/members/$id" params={{ id: actor.id }}>
            @{actor.handle}
          </Link>
        ) : (
          t.operator
        )}
      </td>
      <td className={styles.nowrap}>
        {action === 'role_changed'
          ? t.roleChange(roleOf(before.role), roleOf(after.role))
          : (t.actions[action as keyof typeof t.actions] ?? action)}
      </td>
      <td className={styles.reason}>{reason}</td>
      <td className={styles.copy}>
        {request_id && <Copy text={request_id} label={t.copyRequest(request_id)} />}
      </td>
    </tr>
  )
}
