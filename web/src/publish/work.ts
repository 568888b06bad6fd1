/** Fields of content and their rules, before the content is saved. */
import type { ContentDetail, InputOf } from '#sdk'
import { lengthOf } from '../language/length.ts'
import type { Category, WorkType } from './kinds.ts'

export const TITLE_MAX = 120
export const DESCRIPTION_MAX = 5000
export const BODY_MAX = 100_000
export const TAGS_MAX = 10
export const TAG_MAX = 50
export const FILES_MAX = 20
const CONTROLS_MAX = 20
const CONTROL_MAX = 100

export interface Work {
  title: string
  description: string
  tags: readonly string[]
  body: string
  /** Undefined while the category follows from the files. */
  category: Category | undefined
  orientation: 'any' | 'landscape' | 'portrait'
  /** One control per line. */
  controls: string
  entry: string
}

export const EMPTY: Work = {
  title: '',
  description: '',
  tags: [],
  body: '',
  category: undefined,
  orientation: 'any',
  controls: '',
  entry: '',
}

type Mistake =
  | 'titleMissing'
  | 'titleLong'
  | 'descriptionLong'
  | 'bodyLong'
  | 'tooManyControls'
  | 'controlLong'
export type Mistakes = Partial<Record<'title' | 'description' | 'body' | 'controls', Mistake>>

function controlsOf({ controls }: Pick<Work, 'controls'>): string[] {
  return controls
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

export function mistakesIn(work: Work): Mistakes {
  const title = lengthOf(work.title)
  const controls = controlsOf(work)
  const mistakes: Mistakes = {}
  if (title === 0) mistakes.title = 'titleMissing'
  else if (title > TITLE_MAX) mistakes.title = 'titleLong'
  if (lengthOf(work.description) > DESCRIPTION_MAX) mistakes.description = 'descriptionLong'
  if (lengthOf(work.body) > BODY_MAX) mistakes.body = 'bodyLong'
  if (controls.length > CONTROLS_MAX) mistakes.controls = 'tooManyControls'
  else if (controls.some((line) => lengthOf(line) > CONTROL_MAX)) mistakes.controls = 'controlLong'
  return mistakes
}

interface Made {
  type: WorkType
  category: Category
  uploadIds: readonly string[]
  thumbnailId: string | null
  publish: boolean
}

/** Input of the API call that creates the content. */
export function inputOf(work: Work, made: Made): InputOf<'createContent'> {
  const { type, category, publish } = made
  return {
    type,
    category,
    title: work.title,
    description: work.description.trim() ? work.description : null,
    tags: [...work.tags],
    upload_ids: [...made.uploadIds],
    thumbnail_upload_id: made.thumbnailId,
    ...(type === 'article' && { body: work.body.trim() ? work.body : null }),
    ...(type === 'game' && {
      game: {
        entry: work.entry.trim() || null,
        orientation: work.orientation,
        controls: work.controls.trim() ? controlsOf(work) : null,
      },
    }),
    publish,
  }
}

/** The editable fields of existing content. */
export function workOf({ title, description, tags, body }: ContentDetail): Work {
  return { ...EMPTY, title, description: description ?? '', tags, body: body ?? '' }
}

/** Changed fields in the API's format. */
export function changesOf(
  before: Work,
  after: Work,
): Omit<InputOf<'updateContent'>, 'id' | 'status' | 'thumbnail_upload_id'> {
  return {
    ...(after.title !== before.title && { title: after.title }),
    ...(after.description !== before.description && {
      description: after.description.trim() ? after.description : null,
    }),
    ...(after.tags.join('\n') !== before.tags.join('\n') && { tags: [...after.tags] }),
    ...(after.body !== before.body && { body: after.body.trim() ? after.body : null }),
  }
}

/** Form state after saving: the saved values, plus fields that changed while the request was under way. */
export function afterSave(now: Work, sent: Work, saved: Work): Work {
  const changed = Object.entries(now).filter(([name, value]) => sent[name as keyof Work] !== value)
  return { ...saved, ...Object.fromEntries(changed) }
}

/** Suggests a title from the file's name. */
export function titleFrom(name: string): string {
  const bare = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  return [...bare].slice(0, TITLE_MAX).join('')
}
