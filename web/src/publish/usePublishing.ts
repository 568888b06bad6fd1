import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { contentKey } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { useFormDraft } from '../session/drafts.ts'
import { useIdempotencyKey } from '../session/idempotencyKey.ts'
import { plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { EMPTY, inputOf, mistakesIn, titleFrom, type ContentValues } from './content.ts'
import { readNewDraft } from './draft.ts'
import { fileTexts } from './fileTexts.ts'
import { categoriesOf, type Category, type ContentType, misfitsOf, typeOf } from './kinds.ts'
import { texts } from './texts.ts'
import { type Entry, keptOf } from './uploads.ts'
import { useUploads } from './useUploads.ts'

/** State and actions of the form for new content. With `isWriting`, the content is an article in any case. */
export function usePublishing(isWriting: boolean) {
  const draft = useFormDraft('content')
  const [restored] = useState(() => readNewDraft(draft.load()))
  const uploads = useUploads(restored?.files)
  const thumbnail = useUploads(restored?.thumbnail)
  const [content, setContent] = useState<ContentValues>(restored?.content ?? EMPTY)
  const suggested = useRef('')
  const kinds = uploads.entries.map(({ kind }) => kind)
  const type = typeOf(kinds, isWriting)
  const category = useCategory(type, content.category, uploads.entries)
  const change = (part: Partial<ContentValues>) => setContent((now) => ({ ...now, ...part }))
  const save = useSave(() => draft.save(null))
  const files = [...uploads.entries, ...thumbnail.entries]
  const isDirty = !save.isSuccess && (files.length > 0 || isWritten(content))
  const isKept = useKeeping(draft, isDirty && { content, uploads, thumbnail }, save.isSuccess)
  return {
    uploads,
    thumbnail,
    content,
    change,
    type,
    category,
    misfits: useMisfits(kinds, type),
    mistakes: mistakesIn(content),
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
    discard: () => {
      uploads.queue.clear()
      thumbnail.queue.clear()
      setContent(EMPTY)
    },
    isDirty,
    isLosing: isDirty && (!isKept || files.some(({ upload, file }) => file && !upload)),
    save,
  }
}

interface Form {
  content: ContentValues
  uploads: { entries: readonly Entry[] }
  thumbnail: { entries: readonly Entry[] }
}

/** Stores the form as a draft until it is submitted. Returns false when the browser cannot store the draft. */
function useKeeping(
  draft: ReturnType<typeof useFormDraft>,
  form: Form | false,
  isOver: boolean,
): boolean {
  const [isKept, setIsKept] = useState(true)
  const json =
    form &&
    JSON.stringify({
      content: form.content,
      files: form.uploads.entries.map(keptOf),
      thumbnail: form.thumbnail.entries.map(keptOf),
    })
  useEffect(() => {
    if (!isOver) setIsKept(draft.save(json || null))
  }, [draft, json, isOver])
  return isKept
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

function useSave(onSaved: () => void) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const keys = useIdempotencyKey()
  return useMutation({
    mutationFn: (input: ReturnType<typeof inputOf>) =>
      plaza.contents.create(input, { idempotencyKey: keys.target(JSON.stringify(input)) }),
    onSuccess: async ({ content }, { publish }) => {
      onSaved()
      queries.setQueryData(contentKey(content.id), content)
      void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
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
