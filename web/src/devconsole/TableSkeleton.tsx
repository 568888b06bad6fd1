import { Loading } from '../ui/Loading.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import table from '../ui/Table.module.css'
import styles from './TableSkeleton.module.css'

interface Props {
  rows?: number
  /** True for rows with one line of text. */
  isDense?: boolean
}

export function TableSkeleton({ rows = 4, isDense = false }: Props) {
  return (
    <Loading className={table.scroll}>
      <div className={styles.head}>
        <Skeleton width="30%" height="16px" />
      </div>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={isDense ? styles.line : styles.row}>
          <Skeleton width={`${88 - (at % 3) * 14}%`} height="20px" />
        </div>
      ))}
    </Loading>
  )
}
