import { useTexts } from '../language/texts.ts'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import styles from './Skeleton.module.css'
import { texts } from './texts.ts'

export function CommentsSkeleton({ count, isSmall }: { count: number; isSmall?: boolean }) {
  const t = useTexts(texts)
  const size = isSmall ? 28 : 40
  return (
    <Loading className={styles.bones} label={t.loading}>
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className={styles.row}>
          <Skeleton round width={size} height={size} />
          <div className={styles.lines}>
            <Skeleton width="30%" height="16px" />
            <Skeleton width="80%" height="20px" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
