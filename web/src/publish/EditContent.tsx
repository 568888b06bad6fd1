import { useRef, useState } from 'react'
import type { ContentDetail } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/asking.ts'
import { Button } from '../ui/Button.tsx'
import { fieldErrorsOf } from '../ui/fieldErrors.ts'
import { Panel } from '../ui/Panel.tsx'
import { focusField } from '../ui/focusField.ts'
import { Problem } from '../ui/Problem.tsx'
import { ArchiveButton } from './ArchiveButton.tsx'
import { GameThumbnail } from './GameThumbnail.tsx'
import type { Category, ContentType } from './kinds.ts'
import { Leaving } from './Leaving.tsx'
import { MediaList } from './MediaList.tsx'
import { Preview } from './Preview.tsx'
import styles from './Publish.module.css'
import { Restored } from './Restored.tsx'
import { Status } from './Status.tsx'
import { ThumbnailField } from './ThumbnailField.tsx'
import { texts } from './texts.ts'
import { useEditing } from './useEditing.ts'
import { isUnderWay, useFilesObstacle } from './useObstacle.ts'
import { useWords } from './useWords.ts'
import { ContentFields } from './WorkFields.tsx'

type Editing = ReturnType<typeof useEditing>

export function EditContent({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const editing = useEditing(content)
  const form = useRef<HTMLFormElement>(null)
  const [submitted, setIsTried] = useState(false)
  const errors = { ...fieldErrorsOf(editing.error), ...useWords(submitted ? editing.mistakes : {}) }
  const obstacle = useFilesObstacle(editing.thumbnail.entries)
  const isSending = isUnderWay(editing.thumbnail.entries)
  if (content.status === 'archived') return <Status content={content} />
  const submit = (publish: boolean) => {
    setIsTried(true)
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
      <Leaving isDirty={editing.isDirty && !editing.isSaving} isLosing={editing.isLosing} />
      <div className={styles.main}>
        {editing.isRestored && (
          <Restored onDiscard={editing.discard}>
            {editing.isOvertaken ? t.overtaken : t.restoredEdit}
          </Restored>
        )}
        <Status content={content} />
        <Parts content={content} editing={editing} errors={errors} />
      </div>
      <div className={styles.aside}>
        <Preview
          work={editing.work}
          type={content.type as ContentType}
          category={content.category as Category}
          picture={editing.thumbnail.entries[0]?.preview ?? content.thumbnail_url}
        />
        <Ending
          content={content}
          editing={editing}
          obstacle={submitted ? obstacle : undefined}
          isSending={isSending}
          onPublish={() => submit(true)}
          onAgain={() => submit(editing.isPublishing)}
        />
      </div>
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
  const { work, change, thumbnail, isTakenBack, takeBack } = editing
  const current = { url: content.thumbnail_url, isTakenBack, takeBack }
  return (
    <>
      <Panel title={t.aboutContent}>
        <ContentFields
          work={work}
          change={change}
          errors={errors}
          hasBody={content.type === 'article'}
        />
      </Panel>
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

interface EndingProps {
  content: ContentDetail
  editing: Editing
  obstacle: string | undefined
  /** True while a thumbnail is being uploaded. */
  isSending: boolean
  onPublish: () => void
  onAgain: () => void
}

function Ending({ content, editing, obstacle, isSending, onPublish, onAgain }: EndingProps) {
  const t = useTexts(texts)
  const { error, isSaving, isDirty } = editing
  const isDraft = content.status === 'draft'
  return (
    <div className={styles.actions}>
      {obstacle && (
        <p className={styles.bad} role="alert">
          {obstacle}
        </p>
      )}
      {error && <Problem error={error} retry={onAgain} />}
      {isDraft && (
        <Button look="primary" wide busy={isSending || isSaving === 'publish'} onClick={onPublish}>
          {t.publishNow}
        </Button>
      )}
      <Button
        type="submit"
        look={isDraft ? 'quiet' : 'primary'}
        wide
        busy={isSending || isSaving === 'save'}
        disabled={!isDirty}
      >
        {isDraft ? t.saveDraft : t.saveChanges}
      </Button>
      <ArchiveButton content={content} />
    </div>
  )
}
