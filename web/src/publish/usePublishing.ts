/** A work that is being made: its files, what is written of it, and the saving of both. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { contentKey } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { useIdempotencyKey } from '../session/idempotencyKey.ts'
import { plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { fileTexts } from './fileTexts.ts'
import { type Category, categoriesOf, misfitsOf, typeOf, type WorkType } from './kinds.ts'
import { isUpright } from './measure.ts'
import { texts } from './texts.ts'
import type { Entry } from './uploads.ts'
import { useUploads } from './useUploads.ts'
import { EMPTY, inputOf, mistakesIn, titleFrom, type Work } from './work.ts'

export function usePublishing() {
  const uploads = useUploads()
  const thumbnail = useUploads()
  const [isWriting, setIsWriting] = useState(false)
  const [work, setWork] = useState<Work>(EMPTY)
  const suggested = useRef('')
  const kinds = uploads.entries.map(({ kind }) => kind)
  const type = typeOf(kinds, isWriting)
  const category = useCategory(type, work.category, uploads.entries)
  const change = (part: Partial<Work>) => setWork((now) => ({ ...now, ...part }))
  return {
    uploads,
    thumbnail,
    work,
    change,
    type,
    category,
    misfits: useMisfits(kinds, type),
    mistakes: mistakesIn(work),
    isWriting,
    setIsWriting,
    /** A first file suggests a title; it stays where one was written. */
    addFiles: (files: File[]) => {
      uploads.queue.add(files)
      const [first] = uploads.queue.snapshot.entries
      if (!first || (work.title && work.title !== suggested.current)) return
      suggested.current = titleFrom(first.file.name)
      change({ title: suggested.current })
    },
    isDirty: uploads.entries.length > 0 || thumbnail.entries.length > 0 || isWritten(work),
    save: useSave(),
  }
}

function isWritten({ title, description, body, tags }: Work): boolean {
  return Boolean(title || description || body || tags.length)
}

/** The chosen one where the work may be there; else the one it looks made for. */
function useCategory(
  type: WorkType | undefined,
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

function useMisfits(kinds: Parameters<typeof misfitsOf>[0], type: WorkType | undefined) {
  const t = useTexts(fileTexts)
  const why = (at: number) => {
    if (type === 'article') return t.bundleInArticle
    return kinds[at] === 'bundle' ? t.secondBundle : t.notInGame
  }
  return new Map((type ? misfitsOf(kinds, type) : []).map((at) => [at, why(at)]))
}

/** Saves it, once however often it is asked for, and goes to where it can be looked after. */
function useSave() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const keys = useIdempotencyKey()
  return useMutation({
    mutationFn: (input: ReturnType<typeof inputOf>) =>
      plaza.createContent(input, { idempotencyKey: keys.of(JSON.stringify(input)) }),
    onSuccess: async ({ content }, { publish }) => {
      queries.setQueryData(contentKey(content.id), content)
      void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
      toast(publish ? (content.status === 'published' ? t.published : t.willPublish) : t.saved)
      const params = { id: content.id }
      await navigate({ to: '/publish/$id', params, replace: true, ignoreBlocker: true })
    },
  })
}
