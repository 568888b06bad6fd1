import { Loading } from '../ui/Loading.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import table from '../ui/Table.module.css'

/** Takes the room of a table that is on its way. */
export function TableSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <Loading className={table.scroll}>
      <div style={{ display: 'grid', gap: 28, padding: '12px 16px 20px' }}>
        <Skeleton width="30%" height="16px" />
        {Array.from({ length: rows }, (_, at) => (
          <Skeleton key={at} width={`${88 - (at % 3) * 14}%`} height="20px" />
        ))}
      </div>
    </Loading>
  )
}
