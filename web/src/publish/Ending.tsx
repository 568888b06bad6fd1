/** Preview, save status and buttons of both forms, and the reasons that prevent saving. */
import type { ReactNode } from 'react'
import type { Content } from '#sdk'
import { Card } from '../contents/Card.tsx'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { FieldError } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Publish.module.css'
import {
  type Category,
  type ContentType,
  type ContentValues,
  FILES_MAX,
  type Mistakes,
} from './content.ts'
import { texts } from './texts.ts'
import { type Entry, isUnderWay } from './uploads.ts'
import type { SaveState } from './useAutosave.ts'
import type { usePublishing } from './usePublishing.ts'

interface Props {
  obstacle: string | undefined
  error: unknown
  busy: Record<'publish' | 'save', boolean>
  /** True while a pressed button waits for uploads. */
  isWaiting?: boolean
  isDraft?: boolean
  canSave?: boolean
  onPublish: () => void
  onAgain: () => void
  children?: ReactNode
}

/** Buttons at the end of a form: publish, which only drafts have, and save, which submits the form. */
export function Ending(props: Props) {
  const { obstacle, error, busy, isWaiting, isDraft = true, canSave = true } = props
  const t = useTexts(texts)
  return (
    <div className={styles.actions}>
      <FieldError>{obstacle}</FieldError>
      {isWaiting && (
        <p className={styles.note} role="status">
          {t.waitingForFiles}
        </p>
      )}
      {error != null && <Problem error={error} retry={props.onAgain} />}
      {isDraft && (
        <Button look="primary" wide busy={busy.publish} onClick={props.onPublish}>
          {t.publishNow}
        </Button>
      )}
      <Button
        type="submit"
        look={isDraft ? 'quiet' : 'primary'}
        wide
        busy={busy.save}
        disabled={!canSave}
      >
        {isDraft ? t.saveDraft : t.saveChanges}
      </Button>
      {props.children}
    </div>
  )
}

interface PreviewProps {
  values: ContentValues
  type: ContentType
  category: Category
  picture?: string | null
  cover?: ReactNode
}

/** Shows how the content's card will look. The card is inert, because its links have no targets yet. */
export function Preview({ values, type, category, picture = null, cover }: PreviewProps) {
  const t = useTexts(texts)
  const viewer = useViewer()
  if (!viewer) return null
  const now = new Date().toISOString()
  const content: Content = {
    id: 'preview',
    category,
    type,
    title: values.title.trim() || t.untitled,
    description: values.description,
    tags: [...values.tags],
    status: 'draft',
    visibility: 'public',
    publish_at: null,
    rating: 'everyone',
    rating_locked: false,
    warnings: [],
    warning_text: null,
    embedding: 'everywhere',
    moderation: null,
    comment_policy: 'everyone',
    pinned_comment_id: null,
    creator: viewer,
    media: [],
    thumbnail_url: picture,
    thumbnail_sizes: [],
    game: null,
    like_count: 0,
    bookmark_count: 0,
    comment_count: 0,
    view_count: 0,
    play_count: 0,
    is_liked: false,
    is_bookmarked: false,
    published_at: null,
    created_at: now,
    updated_at: now,
  }
  return (
    <Panel title={t.preview}>
      <div inert className={styles.preview}>
        <Card content={content} cover={cover} />
      </div>
    </Panel>
  )
}

/**
 * Status line that shows whether the draft is saved on the server. Screen readers announce problems only, not every
 * save.
 */
export function SaveNote({ state }: { state: SaveState | undefined }) {
  const t = useTexts(texts)
  const isProblem = state === 'failed' || state === 'blocked' || state === 'behind'
  return (
    <p className={styles.saveNote} role="status" aria-live={isProblem ? 'polite' : 'off'}>
      {state && t.saveState[state]}
    </p>
  )
}

/** Returns a message if failed files prevent saving. Uploads in progress do not prevent it. */
export function useFilesObstacle(entries: readonly Entry[]): string | undefined {
  const t = useTexts(texts)
  const stuck = entries.filter((entry) => entry.state !== 'done' && !isUnderWay([entry])).length
  return stuck > 0 ? t.stuck(stuck) : undefined
}

export function useObstacle(
  { uploads, thumbnail, misfits, content, mistakes, newer }: ReturnType<typeof usePublishing>,
  type: ContentType,
): string | undefined {
  const t = useTexts(texts)
  const files = useFilesObstacle([...uploads.entries, ...thumbnail.entries])
  if (newer && newer.status !== 'draft') return t.publishedElsewhere
  if (Object.keys(mistakes).length > 0) return t.lookAtFields
  if (misfits.size > 0) return t.misfits
  if (uploads.entries.length > FILES_MAX) return t.tooManyFiles(FILES_MAX)
  if (type === 'article' && !content.body.trim() && uploads.entries.length === 0)
    return t.nothingYet
  return files
}

export function useWords(mistakes: Mistakes): Partial<Record<string, string>> {
  const t = useTexts(texts)
  return Object.fromEntries(
    Object.entries(mistakes).map(([field, mistake]) => [field, t.mistakes[mistake]]),
  )
}
