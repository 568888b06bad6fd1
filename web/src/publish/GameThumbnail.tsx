import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { contentKey } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import { thumbnailJobQuery } from './thumbnailJob.ts'

/** Shows the state of the game's generated thumbnail. A button generates it again. */
export function GameThumbnail({ id }: { id: string }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const query = useQuery(thumbnailJobQuery(id))
  const start = useMutation({
    mutationFn: () => plaza.games.startThumbnailJob(id),
    onSuccess: ({ job }) => queries.setQueryData(thumbnailJobQuery(id).queryKey, job),
  })
  const { data: job } = query
  const isUnderWay = job?.status === 'queued' || job?.status === 'processing'
  const made = job?.status === 'completed' ? job.updated_at : null
  useEffect(() => {
    if (made) void queries.invalidateQueries({ queryKey: contentKey(id) })
  }, [made, id, queries])
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  const said = {
    none: t.jobNone,
    queued: t.jobRunning,
    processing: t.jobRunning,
    completed: t.jobDone,
    failed: job?.error ?? t.jobFailed,
  }
  return (
    <div className={styles.fields}>
      <div className={styles.headLine}>
        <p className={styles.note} role="status">
          {job && (said[job.status as keyof typeof said] ?? job.status)}
        </p>
        <Button size="small" busy={isUnderWay || start.isPending} onClick={() => start.mutate()}>
          {t.makeAnew}
        </Button>
      </div>
      {start.error && <Problem error={start.error} retry={() => start.mutate()} />}
    </div>
  )
}
