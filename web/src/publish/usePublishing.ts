import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ContentDetail } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { useFormDraft } from '../session/drafts.ts'
import { useViewer } from '../session/viewer.ts'
import { toast } from '../ui/toast.ts'
import {
  categoriesOf,
  type Category,
  type ContentType,
  type ContentValues,
  EMPTY,
  FILES_MAX,
  inputOf,
  misfitsOf,
  mistakesIn,
  titleFrom,
  typeOf,
} from './content.ts'
import { merge, readNewDraft } from './draft.ts'
import { fileTexts } from './fileTexts.ts'
import { texts } from './texts.ts'
import { type Entry, isUnderWay, keptOf } from './uploads.ts'
import { saveStateOf, useAutosave, useStoredForm } from './useAutosave.ts'
import { useServerCopy } from './useServerCopy.ts'
import { useUploads } from './useUploads.ts'

/**
 * Milliseconds between the last change and autosaving when files have changed. The pause is long, because saving files
 * replaces the draft with a new one.
 */
const REPLACE_MS = 10_000

/** State and actions of the form for new content. If `isWriting`, the content is an article regardless of its files. */
export function usePublishing(isWriting: boolean) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const draft = useFormDraft('content')
  const [restored] = useState(() => readNewDraft(draft.load()))
  const server = useServerCopy(restored?.server)
  const uploads = useUploads(restored?.files, restored?.server !== undefined)
  const thumbnail = useUploads(restored?.thumbnail, restored?.server !== undefined)
  const [content, setContent] = useState<ContentValues>(restored?.content ?? EMPTY)
  const suggested = useRef('')
  const kinds = uploads.entries.map(({ kind }) => kind)
  const type = typeOf(kinds, isWriting)
  const category = useCategory(type, content.category, uploads.entries)
  const change = (part: Partial<ContentValues>) => setContent((now) => ({ ...now, ...part }))
  const files = [...uploads.entries, ...thumbnail.entries]
  const mistakes = mistakesIn(content)
  const misfits = useMisfits(kinds, type)
  const hasContent = files.length > 0 || isWritten(content)
  const isUploading = files.some(({ upload, file }) => file && !upload)

  const wantedOf = (values: ContentValues, publish: boolean) => ({
    values,
    input: inputOf(values, {
      type: type ?? 'article',
      category,
      uploadIds: uploads.entries.flatMap(({ upload }) => upload?.id ?? []),
      thumbnailId: thumbnail.entries[0]?.upload?.id ?? null,
      publish,
    }),
  })
  // Autosaving omits a changed publication time, because only the user may schedule the publication.
  const autosaved = {
    ...content,
    title: content.title.trim() ? content.title : t.untitledDraft,
    publish_at: server.copy?.sent.publish_at ?? '',
  }
  const accept = async (values: ContentValues) => {
    const before = server.copy
    const accepted = await server.accept(values)
    if (before && accepted && accepted !== values) {
      setContent((now) => merge(before, now, accepted).values)
    }
    return accepted
  }

  const isOver = useRef(false)
  const save = useSave(async (publish) => {
    await autosave.settled()
    const values = await accept(publish ? { ...content, publish_at: '' } : content)
    const saved = values && (await server.store(wantedOf(values, publish)))
    if (saved) close()
    return saved
  })
  const isDirty = !save.data && hasContent
  const hasMistakes =
    Object.values(mistakes).some((mistake) => mistake !== 'titleMissing') ||
    misfits.size > 0 ||
    uploads.entries.length > FILES_MAX
  const wanted = wantedOf(autosaved, false)
  const isSaved = hasContent ? server.isSaved(wanted) : server.copy === undefined
  const isUnsaved = isDirty && (!isSaved || content.publish_at !== autosaved.publish_at)
  const isPaused = !viewer || hasMistakes || server.newer !== undefined || (hasContent && !type)
  const isReplacing = isUnderWay(uploads.entries) || server.isReplacedBy(wanted)
  const autosave = useAutosave({
    changes: isPaused || isSaved || save.isPending ? null : JSON.stringify(wanted.input),
    quietMs: isReplacing ? REPLACE_MS : undefined,
    save: async () => {
      if (!hasContent) return server.remove()
      const values = await accept(autosaved)
      if (values) await server.store(wantedOf(values, false))
    },
    onLeft: () => {
      const isComplete = !isUploading && content.publish_at === autosaved.publish_at
      if (!isOver.current && isComplete && server.isSaved(wanted)) draft.save(null)
    },
  })
  const close = () => {
    isOver.current = true
    draft.save(null)
  }
  const discard = () => {
    void server.remove().catch(() => undefined)
    uploads.queue.clear()
    thumbnail.queue.clear()
    setContent(EMPTY)
  }
  // Compares the restored draft with the server's, which another device may have changed or deleted.
  const refresh = useEffectEvent(async () => {
    if (!restored?.server || !viewer) return
    const accepted = await accept(autosaved).catch(() => autosaved)
    if (isSaved && accepted && !server.isSaved(wantedOf(accepted, false))) discard()
  })
  useEffect(() => void refresh(), [])

  const form = {
    content,
    files: uploads.entries.map(keptOf),
    thumbnail: thumbnail.entries.map(keptOf),
    server: server.copy,
  }
  const isStored = useStoredForm(draft, isDirty ? JSON.stringify(form) : null, isOver)
  return {
    uploads,
    thumbnail,
    content,
    change,
    type,
    category,
    misfits,
    mistakes,
    isWriting,
    isWritten: isWritten(content),
    isRestored: restored !== undefined,
    /** Starts uploading files. Uses the first file's name as title unless the user has entered a title. */
    addFiles: (added: File[]) => {
      uploads.queue.add(added)
      const [first] = uploads.queue.snapshot.entries
      if (!first || (content.title && content.title !== suggested.current)) return
      suggested.current = titleFrom(first.name)
      change({ title: suggested.current })
    },
    /** Deletes the draft and empties the form. */
    discard,
    /** Deletes the browser's copy of the form for good. Keeps the draft on the server. */
    close,
    /** The server's version of the draft, if it conflicts with the form. */
    newer: server.newer,
    saveState:
      viewer && isDirty
        ? saveStateOf(autosave, {
            isSaved: !isUnsaved,
            hasMistakes,
            isBehind: server.newer !== undefined,
          })
        : undefined,
    isDirty,
    /** True when leaving needs a confirmation, because changes or uploads would not reach the server. */
    isHeld: isUploading || (isUnsaved && (isPaused || autosave.hasFailed || isSaved)),
    isLosing: isDirty && (!isStored || isUploading),
    save,
  }
}

function isWritten({ title, description, body, tags }: ContentValues): boolean {
  return Boolean(title || description || body || tags.length)
}

/**
 * Returns the chosen category if the type allows it. Otherwise returns `swipe` for a tall video, or the
 * type's first category.
 */
function useCategory(
  type: ContentType | undefined,
  chosen: Category | undefined,
  entries: readonly Entry[],
): Category {
  const first = type === 'video' ? (entries[0]?.preview ?? null) : null
  const [upright, setUpright] = useState<string | null>(null)
  useEffect(() => {
    let isLeft = false
    const look = async (url: string) => {
      const yes = await isUpright(url)
      if (!isLeft) setUpright(yes ? url : null)
    }
    if (first) void look(first)
    return () => {
      isLeft = true
    }
  }, [first])
  const allowed = type ? categoriesOf(type) : ([] as const)
  if (chosen && allowed.includes(chosen)) return chosen
  if (first && upright === first) return 'swipe'
  return allowed[0] ?? 'hype'
}

function useMisfits(kinds: Parameters<typeof misfitsOf>[0], type: ContentType | undefined) {
  const t = useTexts(fileTexts)
  const why = (index: number) => {
    if (type === 'article') return t.bundleInArticle
    return kinds[index] === 'bundle' ? t.secondBundle : t.notInGame
  }
  return new Map((type ? misfitsOf(kinds, type) : []).map((index) => [index, why(index)]))
}

function useSave(store: (publish: boolean) => Promise<ContentDetail | undefined>) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  return useMutation({
    mutationFn: store,
    onSuccess: async (content, publish) => {
      if (!content) return
      const params = { id: content.id }
      await navigate({ to: '/publish/$id', params, replace: true, ignoreBlocker: true })
      toast(publish ? (content.status === 'published' ? t.published : t.willPublish) : t.saved)
    },
  })
}

/** Resolves to true when a video is taller than wide, and to undefined when the browser cannot read it. */
async function isUpright(url: string): Promise<boolean | undefined> {
  const video = document.createElement('video')
  video.preload = 'metadata'
  video.muted = true
  try {
    return await new Promise((resolve) => {
      video.addEventListener('loadedmetadata', () =>
        resolve(video.videoWidth > 0 ? video.videoHeight > video.videoWidth : undefined),
      )
      video.addEventListener('error', () => resolve(undefined))
      video.src = url
    })
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}
