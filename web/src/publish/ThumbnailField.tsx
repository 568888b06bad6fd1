import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { contentKey } from '../contents/queries.ts'
import { FieldError } from '../ui/Field.tsx'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Dropzone, FileList } from './FileList.tsx'
import styles from './Publish.module.css'
import { acceptOf } from './content.ts'
import { texts } from './texts.ts'
import type { Uploads } from './useUploads.ts'

const PICTURES = ['picture'] as const

interface Props {
  uploads: Uploads
  /**
   * Thumbnail of existing content. Undefined for new content. If `isTakenBack`, saving restores the generated
   * thumbnail. `takeBack` sets `isTakenBack`.
   */
  current?: { url: string | null; isTakenBack: boolean; takeBack: (yes: boolean) => void }
  error?: string | undefined
}

export function ThumbnailField({ uploads, current, error }: Props) {
  const t = useTexts(texts)
  const choose = (files: File[]) => {
    uploads.queue.clear()
    uploads.queue.add(files, PICTURES)
    current?.takeBack(false)
  }
  return (
    <div className={styles.fields}>
      {current?.url && !current.isTakenBack && uploads.entries.length === 0 && (
        <div className={styles.current}>
          <img src={current.url} alt={t.thumbnailNow} />
          <Button size="small" onClick={() => current.takeBack(true)}>
            {t.automatic}
          </Button>
        </div>
      )}
      {current?.isTakenBack && (
        <p className={styles.note} role="status">
          {t.automaticOnSave}{' '}
          <Button size="small" look="plain" onClick={() => current.takeBack(false)}>
            {t.undo}
          </Button>
        </p>
      )}
      <FileList uploads={uploads} />
      <Dropzone
        isSmall
        multiple={false}
        accept={acceptOf(PICTURES)}
        label={t.chooseThumbnail}
        hint={current ? t.thumbnailHintLater : t.thumbnailHint}
        onFiles={choose}
      />
      <FieldError>{error}</FieldError>
    </div>
  )
}

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

const POLL_MS = 2000

function thumbnailJobQuery(id: string) {
  return queryOptions({
    queryKey: ['publish', 'thumbnail-job', id],
    queryFn: async ({ signal }) => (await plaza.games.getThumbnailJob(id, {}, { signal })).job,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'queued' || data?.status === 'processing' ? POLL_MS : false,
  })
}
