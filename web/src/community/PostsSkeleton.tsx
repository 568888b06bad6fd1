import { Loading } from '../ui/Loading.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './PostsSkeleton.module.css'

export function PostsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Loading>
      <div className={styles.list}>
        {Array.from({ length: count }, (_, at) => (
          <div key={at} className={styles.post}>
            <Skeleton width="40px" height="40px" round />
            <div className={styles.lines}>
              <Skeleton width="38%" height="20px" />
              <Skeleton width={at % 2 ? '72%' : '90%'} height="20px" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}
