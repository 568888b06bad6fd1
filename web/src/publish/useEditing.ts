import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ContentDetail, InputOf } from '#sdk'
import { conversionQuery } from '../contents/conversion.ts'
import { contentKey } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { useFormDraft } from '../session/drafts.ts'
import { plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { afterSave, changesOf, contentOf, mistakesIn, type ContentValues } from './content.ts'
import { differenceOf, isOvertaken, readEditDraft } from './draft.ts'
import { texts } from './texts.ts'
import { keptOf } from './uploads.ts'
import { useUploads } from './useUploads.ts'

export function useEditing(content: ContentDetail) {
  const draft = useFormDraft(`edit.${content.id}`)
  const [restored, setRestored] = useState(() => readEditDraft(draft.load()))
  const thumbnail = useUploads(restored?.thumbnail)
  const [values, setValues] = useState(() => ({ ...contentOf(content), ...restored?.changed }))
  const [isTakenBack, takeBack] = useState(restored?.isTakenBack ?? false)
  // Values at the start of editing. Only fields that differ are sent, so that changes made elsewhere survive.
  const [begun, setBegun] = useState(() => contentOf(content))
  const changes = changesOf(begun, values)
  const chosen = thumbnail.entries[0]?.upload?.id
  const thumbnail_upload_id = chosen ?? (isTakenBack ? null : undefined)
  const save = useSave(content, (after, sent) => {
    const picture = sent.changes.thumbnail_upload_id
    const saved = contentOf(after)
    setValues((now) => afterSave(now, sent.values, saved))
    setBegun(saved)
    setRestored(undefined)
    if (picture === null) takeBack(false)
    if (picture && thumbnail.queue.snapshot.entries[0]?.upload?.id === picture) {
      thumbnail.queue.clear()
    }
  })
  const isDirty = Object.keys(changes).length > 0 || isTakenBack || thumbnail.entries.length > 0
  const changed = differenceOf(begun, values)
  const json =
    isDirty &&
    JSON.stringify({
      changed,
      before: { ...begun, ...restored?.before },
      thumbnail: thumbnail.entries.map(keptOf),
      isTakenBack,
    })
  const [isKept, setIsKept] = useState(true)
  useEffect(() => {
    setIsKept(draft.save(json || null))
  }, [draft, json])
  return {
    thumbnail,
    values,
    isRestored: restored !== undefined && isDirty,
    isOvertaken: restored !== undefined && isOvertaken(restored, begun),
    discard: () => {
      thumbnail.queue.clear()
      setValues(begun)
      takeBack(false)
      setRestored(undefined)
    },
    isLosing: isDirty && (!isKept || thumbnail.entries.some(({ file, upload }) => file && !upload)),
    change: (part: Partial<ContentValues>) => setValues((now) => ({ ...now, ...part })),
    isTakenBack,
    takeBack: (yes: boolean) => {
      if (yes) thumbnail.queue.clear()
      takeBack(yes)
    },
    mistakes: mistakesIn(values),
    isDirty,
    error: save.error,
    /** True when the current or failed request also publishes. */
    isPublishing: save.variables?.changes.status !== undefined,
    isSaving: save.isPending ? (save.variables.changes.status ? 'publish' : 'save') : undefined,
    save: (publish: boolean) =>
      save.mutate({
        values,
        changes: {
          ...changes,
          ...(thumbnail_upload_id !== undefined && { thumbnail_upload_id }),
          ...(publish && { status: 'published' as const }),
        },
      }),
  }
}

interface Sent {
  changes: InputOf<'updateContent'>
  values: ContentValues
}

function useSave({ id }: ContentDetail, onSaved: (content: ContentDetail, sent: Sent) => void) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ changes }: Sent) => plaza.contents.update(id, changes),
    onSuccess: ({ content }, sent) => {
      const { status } = sent.changes
      queries.setQueryData(contentKey(id), content)
      void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
      void queries.invalidateQueries({ queryKey: conversionQuery(id).queryKey })
      onSaved(content, sent)
      const isPublic = content.status === 'published'
      toast(status ? (isPublic ? t.published : t.willPublish) : t.savedChanges)
    },
  })
}
