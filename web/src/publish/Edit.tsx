import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import {
  Archive,
  CircleCheck,
  CircleDashed,
  Film,
  Music,
  Package,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ContentDetail, Conversion } from '#sdk'
import { ArchivedActions, ArchiveDialog, texts as archiveTexts } from '../contents/Archived.tsx'
import { contentQuery, useConversion } from '../contents/queries.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing } from '../session/plaza.ts'
import { asMember, useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/Failed.tsx'
import { Button, LinkButton } from '../ui/Button.tsx'
import { fieldErrorsOf, focusField } from '../ui/Field.tsx'
import { Loading, Progress, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Copy, Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import { pictureSources } from '../ui/sources.ts'
import { Audience } from './Audience.tsx'
import { ContentFields } from './ContentFields.tsx'
import { Ending, Preview, SaveNote, useFilesObstacle, useWords } from './Ending.tsx'
import { Leaving, Restored } from './Leaving.tsx'
import styles from './Publish.module.css'
import { GameThumbnail, ThumbnailField } from './ThumbnailField.tsx'
import type { Category, ContentType } from './content.ts'
import { texts } from './texts.ts'
import { isUnderWay } from './uploads.ts'
import { useEditing } from './useEditing.ts'

const POLL_MS = 4000

const route = getRouteApi('/publish/$id')

export function Edit() {
  const t = useTexts(texts)
  const { id } = route.useParams()
  const viewer = useViewer()
  const query = useQuery({
    ...contentQuery(id),
    // Ignores a 404 on refetches, because the server returns it for drafts when the session has ended. The page must
    // keep unsaved input.
    throwOnError: (error, { state }) => isMissing(error) && state.data === undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? POLL_MS : false),
  })
  const { data: content } = query
  const [begunId, setBegunId] = useState<string>()
  if (content && viewer !== undefined && begunId !== id) setBegunId(id)
  if (content && viewer && content.creator.id !== viewer.id) return <NotFound />
  return (
    <div className={styles.stage}>
      <Page title={t.edit}>
        {/* Keeps the form and its unsaved input when a session ends and another one begins. */}
        {content && (viewer !== undefined || begunId === id) ? (
          <EditContent key={`${id} ${content.status === 'archived'}`} content={content} />
        ) : query.isError ? (
          <Problem error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading className={styles.columns}>
            <div className={styles.main}>
              <Skeleton height="160px" />
              <Skeleton height="480px" />
            </div>
            <Skeleton height="320px" />
          </Loading>
        )}
      </Page>
    </div>
  )
}

type Editing = ReturnType<typeof useEditing>

function EditContent({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const editing = useEditing(content)
  const form = useRef<HTMLFormElement>(null)
  const [submitted, setSubmitted] = useState(false)
  const errors = { ...fieldErrorsOf(editing.error), ...useWords(submitted ? editing.mistakes : {}) }
  const obstacle = useFilesObstacle(editing.thumbnail.entries)
  const isSending = isUnderWay(editing.thumbnail.entries)
  if (content.status === 'archived') return <Status content={content} />
  const submit = (publish: boolean) => {
    setSubmitted(true)
    const [mistake] = Object.keys(editing.mistakes)
    if (mistake) focusField(form.current, mistake)
    if (mistake || obstacle || isSending || editing.isSaving) return
    asMember(() => editing.save(publish))
  }
  return (
    <form
      ref={form}
      className={styles.columns}
      onSubmit={(event) => {
        event.preventDefault()
        // Enter saves without publishing, because publishing is irreversible.
        submit(false)
      }}
      noValidate
    >
      <Leaving isDirty={editing.isHeld && !editing.isSaving} isLosing={editing.isLosing} />
      <div className={styles.main}>
        {editing.isRestored && (
          <Restored onDiscard={editing.discard}>
            {editing.isOvertaken ? t.changedElsewhere : t.restoredEdit}
          </Restored>
        )}
        <Status content={content} />
        <Parts content={content} editing={editing} errors={errors} />
      </div>
      <div className={styles.aside}>
        <Preview
          values={editing.values}
          type={content.type as ContentType}
          category={content.category as Category}
          picture={editing.thumbnail.entries[0]?.preview ?? content.thumbnail_url}
        />
        <Ending
          obstacle={submitted ? obstacle : undefined}
          error={editing.error}
          busy={{
            publish: isSending || editing.isSaving === 'publish',
            save: isSending || editing.isSaving === 'save',
          }}
          isDraft={content.status === 'draft'}
          canSave={editing.isDirty}
          onPublish={() => submit(true)}
          onAgain={() => submit(editing.isPublishing)}
        >
          <ArchiveButton content={content} />
        </Ending>
      </div>
      <SaveNote state={editing.saveState} />
    </form>
  )
}

interface PartsProps {
  content: ContentDetail
  editing: Editing
  errors: Partial<Record<string, string>>
}

function Parts({ content, editing, errors }: PartsProps) {
  const t = useTexts(texts)
  const { values, change, thumbnail, isTakenBack, takeBack } = editing
  const current = { url: content.thumbnail_url, isTakenBack, takeBack }
  return (
    <>
      <ContentFields {...{ values, change, errors }} hasBody={content.type === 'article'} />
      <Audience
        {...{ values, change, errors }}
        canSchedule={content.status === 'draft'}
        isRatingLocked={content.rating_locked}
      />
      <Panel title={t.thumbnail}>
        <ThumbnailField
          uploads={thumbnail}
          current={current}
          error={errors['thumbnail_upload_id']}
        />
        {content.type === 'game' && <GameThumbnail id={content.id} />}
      </Panel>
      <MediaList content={content} />
    </>
  )
}

function ArchiveButton({ content }: { content: ContentDetail }) {
  const t = useTexts(archiveTexts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button look="danger" wide icon={<Archive />} onClick={() => setIsAsking(true)}>
        {t.archive}
      </Button>
      <ArchiveDialog content={isAsking ? content : undefined} onClose={() => setIsAsking(false)} />
    </>
  )
}

function MediaList({ content: { media, game } }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const formats = useFormats()
  if (media.length === 0) return null
  return (
    <Panel title={t.media}>
      <p className={styles.note}>{game ? t.mediaHelpGame : t.mediaHelp}</p>
      <ul className={`cluster ${styles.media}`}>
        {media.map((medium, index) => {
          const { upload_id, url, mime_type, size_bytes } = medium
          const [kind] = mime_type.split('/', 1)
          const Icon = kind === 'video' ? Film : kind === 'audio' ? Music : Package
          if (kind === 'image') {
            return (
              <li key={upload_id}>
                <img
                  className="crop"
                  srcSet={pictureSources(medium, 1)}
                  sizes="6rem"
                  src={url ?? undefined}
                  alt={t.mediumOf(index + 1)}
                  loading="lazy"
                />
              </li>
            )
          }
          return (
            <li key={upload_id} className={styles.medium}>
              <Icon />
              <span>{mime_type.split('/')[1]}</span>
              <span>{formats.bytes(size_bytes)}</span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

function Status({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const { id, status, type } = content
  const conversion = useConversion(content)
  return (
    <Panel title={t.status} hidesTitle>
      <Line status={status} conversion={conversion} />
      <ConversionLine conversion={conversion} isWaiting={status === 'processing'} />
      <div className="cluster">
        <LinkButton to="/contents/$id" params={{ id }}>
          {status !== 'published' ? t.preview : type === 'game' ? t.play : t.look}
        </LinkButton>
        {status === 'published' && (
          <Copy text={`${location.origin}/contents/${id}`} label={t.copyLink} />
        )}
        {conversion?.status === 'failed' && <LinkButton to="/publish">{t.publishAnew}</LinkButton>}
        {status === 'archived' && <ArchivedActions content={content} />}
        {status === 'archived' && (
          <LinkButton to="/library" search={{ status: 'archived' }}>
            {t.otherArchived}
          </LinkButton>
        )}
      </div>
    </Panel>
  )
}

function Line({ status, conversion }: { status: string; conversion: Conversion | undefined }) {
  const t = useTexts(texts)
  const line = (icon: ReactNode, title: string, help: string) => (
    <div role="status">
      <p className={styles.state}>
        {icon}
        {title}
      </p>
      <p className={styles.note}>{help}</p>
    </div>
  )
  if (conversion?.status === 'failed') {
    const help = conversion.error ?? t.conversionFailedHelp
    return line(<TriangleAlert color="var(--danger)" />, t.conversionFailed, help)
  }
  if (status === 'published') {
    return line(<CircleCheck color="var(--good)" />, t.isPublic, t.isPublicHelp)
  }
  if (status === 'processing') {
    return line(<CircleDashed color="var(--muted)" />, t.isConverting, t.isConvertingHelp)
  }
  if (status === 'archived') {
    return line(<Archive color="var(--muted)" />, t.isArchived, t.isArchivedHelp)
  }
  return line(<CircleDashed color="var(--muted)" />, t.isDraft, t.isDraftHelp)
}

interface ConversionLineProps {
  conversion: Conversion | undefined
  isWaiting: boolean
}

function ConversionLine({ conversion, isWaiting }: ConversionLineProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const isConverting = conversion?.status === 'queued' || conversion?.status === 'processing'
  if (!isConverting && !isWaiting) return null
  const share = conversion && isConverting ? conversion.progress : undefined
  return (
    <div className={styles.fields}>
      <Progress share={share} label={t.isConverting} />
      <p className={styles.note}>
        {share === undefined ? t.isConverting : t.convertingShare(formats.percent(share))}
      </p>
    </div>
  )
}
