import { queryOptions } from '@tanstack/react-query'
import type { Pick } from '#sdk'
import { Card } from '../contents/Card.tsx'
import { plaza } from '../session/plaza.ts'
import styles from './Rows.module.css'

export const picksQuery = queryOptions({
  queryKey: ['site', 'picks'],
  queryFn: async ({ signal }) => (await plaza.site.listPicks({}, { signal })).picks,
})

export function Picks({ title, picks }: { title: string; picks: readonly Pick[] }) {
  return (
    <section className={styles.row} aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.scroller}>
        {picks.map(({ content, note }) => (
          <li key={content.id}>
            <Card content={content} width="min(17rem, 72vw)" />
            {note && <p className={styles.note}>{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
