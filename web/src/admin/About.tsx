import type { AdminUserDetail } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Copied, Fact, Facts } from '../ui/Facts.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { RoleMark } from './Marks.tsx'
import { texts } from './texts.ts'

export function Details({ user }: { user: AdminUserDetail }) {
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
        <Fact name={t.lastSeen}>{last_seen_at ? <Time at={last_seen_at} /> : t.never}</Fact>
        <Fact name={t.id}>
          <Copied text={id} label={t.copyId} />
        </Fact>
      </Facts>
    </Panel>
  )
}

/** Counts of the user's content, comments and other activity. */
export function Activity({ user: { activity } }: { user: AdminUserDetail }) {
  const t = useTexts(texts)
  const formats = useFormats()
  return (
    <Panel title={t.activity}>
      <dl className={styles.counts}>
        {Object.entries(t.counts).map(([name, label]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{formats.number(activity[name as keyof typeof activity])}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
