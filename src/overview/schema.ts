import { type Static, Type } from 'typebox'
import { time, timeOrNull } from '../http/fields.ts'

const counts = <const K extends string>(...names: K[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Record<
      K,
      ReturnType<typeof Type.Integer>
    >,
  )

const OverviewNumbers = Type.Object(
  {
    users: counts('total', 'suspended', 'new_7d', 'active_7d'),
    contents: counts('draft', 'processing', 'published', 'archived', 'hidden'),
    comment_count: Type.Integer(),
    post_count: Type.Integer(),
    storage: counts('original_bytes', 'derived_bytes', 'bundle_bytes'),
    jobs: counts('queued', 'processing', 'failed_24h'),
    mail: counts('pending', 'failed_24h'),
    webhooks: counts('pending'),
    disk: Type.Union([counts('free_bytes', 'total_bytes'), Type.Null()], {
      description: 'Null when files are not on a local disk',
    }),
    last_backup_at: timeOrNull({ description: 'End of the last `plaza backup`' }),
    version: Type.String(),
    uptime_s: Type.Integer(),
    computed_at: time(),
  },
  { title: 'Overview' },
)
export type OverviewRecord = Static<typeof OverviewNumbers>

export const OverviewAnswer = Type.Object({ overview: OverviewNumbers })
