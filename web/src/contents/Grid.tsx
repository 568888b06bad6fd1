import type { ComponentProps, ReactNode } from 'react'
import type { Content } from '#sdk'
import { Loading } from '../ui/Loading.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Card } from './Card.tsx'
import styles from './Grid.module.css'

/** Two rows of a phone, or the first of a wide window. */
const FIRST = 4

interface Props extends Omit<ComponentProps<typeof Card>, 'content' | 'isFirst'> {
  contents: readonly Content[]
  /** In the corner of each picture: what one can do with the work. */
  corner?: ((content: Content) => ReactNode) | undefined
}

/** Works side by side, as many as fit. */
export function Grid({ contents, corner, ...card }: Props) {
  return (
    <ul className={styles.grid}>
      {contents.map((content, index) => (
        <li key={content.id}>
          <Card content={content} isFirst={index < FIRST} {...card} />
          {corner && <div className={styles.corner}>{corner(content)}</div>}
        </li>
      ))}
    </ul>
  )
}

/** Takes the room of a grid that is on its way. */
export function GridSkeleton({ count = 12 }: { count?: number }) {
  return (
    <Loading>
      <div className={styles.grid}>
        {Array.from({ length: count }, (_, at) => (
          <div key={at} className={styles.bones}>
            <Skeleton ratio="16 / 9" />
            <Skeleton width="85%" height="20px" />
            <Skeleton width="55%" height="16px" />
            <Skeleton width="70%" height="13px" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
