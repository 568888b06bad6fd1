import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Content } from '#sdk'
import { CategoryName, Seen } from '../contents/Card.tsx'
import { Thumbnail } from '../contents/Thumbnail.tsx'
import { recommendationsQuery } from '../contents/queries.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Content.module.css'
import { texts } from './texts.ts'

export function Recommendations({ id }: { id: string }) {
  const t = useTexts(texts)
  const { data, error, refetch } = useQuery(recommendationsQuery(id))
  return (
    <aside className={styles.recommendations} aria-labelledby="next">
      <h2 id="next">{t.next}</h2>
      {data?.length === 0 && <p className="fine">{t.noNext}</p>}
      {error && !data && <Problem error={error} retry={() => void refetch()} />}
      <ul className={styles.list} aria-busy={!data && !error}>
        {data
          ? data.map((content) => (
              <li key={content.id}>
                <Row content={content} />
              </li>
            ))
          : !error &&
            Array.from({ length: 8 }, (_, index) => (
              <li key={index} className={styles.row}>
                <Skeleton ratio="16 / 9" />
                <Skeleton width="90%" height="40px" />
              </li>
            ))}
      </ul>
    </aside>
  )
}

function Row({ content }: { content: Content }) {
  const { id, title, category, creator } = content
  return (
    <Link to="/contents/$id" params={{ id }} className={styles.row}>
      <Thumbnail content={content} width="12rem" />
      <span className={styles.text}>
        <span className={styles.title} lang={useLangOf(title)}>
          {title}
        </span>
        <span className="clip fine">{creator.display_name}</span>
        <span className="clip fine">
          <CategoryName category={category} />
          {' · '}
          <Seen content={content} />
        </span>
      </span>
    </Link>
  )
}
