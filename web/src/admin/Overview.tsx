import { queryOptions, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Overview as Numbers } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Loaded } from '../ui/Problem.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { adminPage } from './adminParts.tsx'
import { texts } from './areaTexts.ts'

const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: async ({ signal }) => (await plaza.site.getOverview({}, { signal })).overview,
  refetchInterval: 60_000,
})

export const Overview = adminPage('overview', Shown)

function Shown() {
  return (
    <Loaded query={useQuery(overviewQuery)} skeleton={<Skeleton height="60dvh" />}>
      {(numbers) => <Panels numbers={numbers} />}
    </Loaded>
  )
}

const HOUR_S = 3600

function Panels({ numbers }: { numbers: Numbers }) {
  const t = useTexts(texts)
  const { number, bytes } = useFormats()
  const { users, contents, storage, jobs, mail, webhooks, disk } = numbers
  const groups = {
    users: [users.total, users.active_7d, users.new_7d, users.suspended].map(number),
    contents: [
      contents.published,
      contents.draft,
      contents.processing,
      contents.archived,
      contents.hidden,
      numbers.comment_count,
      numbers.post_count,
    ].map(number),
    storage: [
      ...[storage.original_bytes, storage.derived_bytes, storage.bundle_bytes].map(bytes),
      disk ? (
        <Fragment key="disk">
          {bytes(disk.free_bytes)} <small>{t.ofDisk(bytes(disk.total_bytes))}</small>
        </Fragment>
      ) : (
        t.noDisk
      ),
    ],
    work: [
      jobs.queued,
      jobs.processing,
      jobs.failed_24h,
      mail.pending,
      mail.failed_24h,
      webhooks.pending,
    ].map(number),
    server: [
      numbers.last_backup_at ? <Time key="backup" time={numbers.last_backup_at} /> : t.never,
      numbers.version,
      t.hours(number(Math.floor(numbers.uptime_s / HOUR_S))),
    ],
  }
  return (
    <div className={styles.panels}>
      {Object.entries(groups).map(([name, values]) => {
        const group = t.numbers[name as keyof typeof groups]
        return (
          <Panel key={name} title={group.title}>
            <dl className={styles.counts}>
              {group.labels.map((label, index) => (
                <div key={label}>
                  <dt className="fine">{label}</dt>
                  <dd>{values[index]}</dd>
                </div>
              ))}
            </dl>
          </Panel>
        )
      })}
      <p className={styles.muted}>
        {t.computed} <Time time={numbers.computed_at} />
      </p>
    </div>
  )
}
