import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ContentDetail, InputOf } from '#sdk'
import { contentKey, conversionQuery } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { useFormDraft } from '../session/drafts.ts'
import { plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { toast } from '../ui/toast.ts'
import {
  afterSave,
  changesOf,
  contentOf,
  type ContentValues,
  differenceOf,
  mistakesIn,
} from './content.ts'
import { isOvertaken, merge, readEditDraft } from './draft.ts'
import { texts } from './texts.ts'
import { keptOf } from './uploads.ts'
import { saveStateOf, useAutosave, useStoredForm } from './useAutosave.ts'
import { useUploads } from './useUploads.ts'

export function useEditing(content: ContentDetail) {
  const { id } = content
  const viewer = useViewer()
  const store = useStoreContent(id)
  const draft = useFormDraft(`edit.${id}`)
  const [restored, setRestored] = useState(() => readEditDraft(draft.load()))
  const thumbnail = useUploads(restored?.thumbnail)
  const [values, setValues] = useState(() => ({ ...contentOf(content), ...restored?.changed }))
  const [isTakenBack, takeBack] = useState(restored?.isTakenBack ?? false)
  // Values at the start of editing. Saving sends only fields that differ, so that changes from other devices survive.
  const [begun, setBegun] = useState(() => contentOf(content))
  const [isBehind, setIsBehind] = useState(
    () => restored !== undefined && isOvertaken(restored, begun),
  )
  const server = useRef({ updatedAt: content.updated_at, sent: begun, stored: begun })
  const thumbnail_upload_id = thumbnail.entries[0]?.upload?.id ?? (isTakenBack ? null : undefined)
  const changesFrom = (before: ContentValues, after: ContentValues) => ({
    ...changesOf(before, after),
    ...(thumbnail_upload_id !== undefined && { thumbnail_upload_id }),
  })
  const finish = (after: ContentDetail, { changes, values: sent }: Sent) => {
    server.current = { updatedAt: after.updated_at, sent, stored: contentOf(after) }
    setBegun(sent)
    setRestored(undefined)
    setIsBehind(false)
    const picture = changes.thumbnail_upload_id
    if (picture === null) takeBack(false)
    if (picture && thumbnail.queue.snapshot.entries[0]?.upload?.id === picture) {
      thumbnail.queue.clear()
    }
  }
  const save = useSave(id, async (sent) => {
    await autosave.settled()
    const after = (await plaza.contents.update(id, sent.changes)).content
    const saved = contentOf(after)
    setValues((now) => afterSave(now, sent.values, saved))
    finish(after, { ...sent, values: saved })
    return after
  })
  /**
   * Merges the server's version into the form. Returns the values to save. Undefined if the versions conflict, or if
   * the content is no longer a draft.
   */
  const accept = (fresh: ContentDetail, sent: ContentValues): ContentValues | undefined => {
    if (fresh.updated_at === server.current.updatedAt) return sent
    const base = server.current
    const stored = contentOf(fresh)
    const merged = merge(base, sent, stored)
    store(fresh)
    server.current = { updatedAt: fresh.updated_at, sent: stored, stored }
    setBegun(stored)
    setValues((now) => merge(base, now, stored).values)
    setIsBehind(merged.isOvertaken)
    return merged.isOvertaken || fresh.status !== 'draft' ? undefined : merged.values
  }
  const mistakes = mistakesIn(values)
  // Autosaving omits a changed publication time, because only the user may schedule the publication.
  const autosaved = { ...values, publish_at: begun.publish_at }
  const automatic = changesFrom(begun, autosaved)
  const isPaused =
    !viewer || content.status !== 'draft' || isBehind || Object.keys(mistakes).length > 0
  const isWaiting = Object.keys(automatic).length > 0
  const autosave = useAutosave({
    changes: isPaused || save.isPending || !isWaiting ? null : JSON.stringify(automatic),
    save: async () => {
      const { content: fresh } = await plaza.contents.get(id)
      const sent = accept(fresh, autosaved)
      if (!sent) return
      const changes = changesFrom(server.current.sent, sent)
      const { content: after } = await plaza.contents.update(id, changes)
      store(after)
      finish(after, { changes, values: sent })
    },
    onLeft: () => {
      const { sent } = server.current
      if (Object.keys(changesOf(sent, values)).length === 0 && !isUploading) draft.save(null)
    },
  })
  const isUploading = thumbnail.entries.some(({ file, upload }) => file && !upload)
  const changes = changesFrom(begun, values)
  const isDirty = Object.keys(changes).length > 0 || thumbnail.entries.length > 0
  const form = {
    changed: differenceOf(begun, values),
    before: { ...begun, ...restored?.before },
    thumbnail: thumbnail.entries.map(keptOf),
    isTakenBack,
  }
  const isStored = useStoredForm(draft, isDirty ? JSON.stringify(form) : null)
  return {
    thumbnail,
    values,
    isRestored: isBehind || (restored !== undefined && isDirty),
    isOvertaken: isBehind,
    discard: () => {
      thumbnail.queue.clear()
      setValues(begun)
      takeBack(false)
      setRestored(undefined)
      setIsBehind(false)
    },
    isLosing: isDirty && (!isStored || isUploading),
    change: (part: Partial<ContentValues>) => setValues((now) => ({ ...now, ...part })),
    isTakenBack,
    takeBack: (yes: boolean) => {
      if (yes) thumbnail.queue.clear()
      takeBack(yes)
    },
    mistakes,
    isDirty,
    /** True when leaving needs a confirmation, because changes or uploads would not reach the server. */
    isHeld: isUploading || (isDirty && (isPaused || autosave.hasFailed || !isWaiting)),
    saveState:
      viewer && content.status === 'draft' && (isDirty || autosave.hasSaved)
        ? saveStateOf(autosave, {
            isSaved: !isDirty,
            isBehind,
            hasMistakes: Object.keys(mistakes).length > 0,
          })
        : undefined,
    error: save.error,
    /** True when the running or failed save also publishes the content. */
    isPublishing: save.variables?.changes.status !== undefined,
    isSaving: save.isPending ? (save.variables.changes.status ? 'publish' : 'save') : undefined,
    save: (publish: boolean) =>
      save.mutate({
        values,
        changes: { ...changes, ...(publish && { status: 'published' as const }) },
      }),
  }
}

interface Sent {
  changes: InputOf<'updateContent'>
  values: ContentValues
}

/** Returns a function that caches a new version of the content and refetches the lists of contents. */
function useStoreContent(id: string) {
  const queries = useQueryClient()
  return (content: ContentDetail) => {
    queries.setQueryData(contentKey(id), content)
    void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
  }
}

function useSave(id: string, update: (sent: Sent) => Promise<ContentDetail>) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const store = useStoreContent(id)
  return useMutation({
    mutationFn: update,
    onSuccess: (content, { changes: { status } }) => {
      store(content)
      void queries.invalidateQueries({ queryKey: conversionQuery(id).queryKey })
      const isPublic = content.status === 'published'
      toast(status ? (isPublic ? t.published : t.willPublish) : t.savedChanges)
    },
  })
}
