import { useTexts } from '../language/texts.ts'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import styles from './Content.module.css'
import { texts } from './texts.ts'

export function ContentSkeleton() {
  const t = useTexts(texts)
  return (
    <Loading className={styles.columns} label={t.loading}>
      <div className={styles.work}>
        <Skeleton ratio="16 / 9" />
        <Skeleton width="70%" height="30px" />
        <Skeleton width="40%" height="40px" />
        <Skeleton height="96px" />
      </div>
    </Loading>
  )
}
