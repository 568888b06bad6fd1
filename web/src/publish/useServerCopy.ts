import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type ContentDetail, type InputOf, isPlazaError, newIdempotencyKey } from '#sdk'
import { contentKey } from '../contents/queries.ts'
import { useFormDraft } from '../session/drafts.ts'
import { deleteOnce, isMissing, plaza } from '../session/plaza.ts'
import { changesOf, contentOf, type ContentValues } from './content.ts'
import { isObject, merge, type ServerCopy } from './draft.ts'

interface Wanted {
  /** Form values that `input` contains. */
  values: ContentValues
  input: InputOf<'createContent'>
}

/** Request for a new draft whose response has not arrived. */
interface Begun {
  wanted: Wanted
  key: string
}

/**
 * The form's draft on the server. A change of type, category, files or game replaces the draft with a new one, because
 * `PATCH` cannot change them.
 */
export function useServerCopy(restored: ServerCopy | undefined) {
  const queries = useQueryClient()
  const [copy, setCopy] = useState(restored)
  const [newer, setNewer] = useState<ContentDetail>()
  const latest = useRef(restored)
  const storage = useFormDraft('content.begun')
  const [restoredBegun] = useState(() => readBegun(storage.load()))
  const begun = useRef(restoredBegun)
  const obsolete = useRef(new Set<string>())
  const replace = (next: ServerCopy | undefined) => {
    latest.current = next
    setCopy(next)
  }

  const setBegun = (next: Begun | undefined) => {
    begun.current = next
    storage.save(next ? JSON.stringify(next) : null)
  }

  const remove = async (): Promise<void> => {
    setBegun(undefined)
    if (latest.current) obsolete.current.add(latest.current.id)
    replace(undefined)
    for (const id of obsolete.current) {
      await erase(id)
      obsolete.current.delete(id)
    }
    void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
  }

  /**
   * Creates the draft. First repeats an earlier request whose result is unknown, even after a reload, so that the
   * server creates only one draft.
   */
  const create = async (wanted: Wanted): Promise<ContentDetail> => {
    const request = begun.current ?? { wanted, key: newIdempotencyKey() }
    setBegun(request)
    const { wanted: sent, key } = request
    try {
      const { content } = await plaza.contents.create(sent.input, { idempotencyKey: key })
      setBegun(undefined)
      // Ignores a failed deletion of the replaced draft, because a later replacement or discard repeats the deletion.
      void remove().catch(() => undefined)
      replace(copyOf(content, sent))
      return JSON.stringify(sent) === JSON.stringify(wanted) ? content : await store(wanted)
    } catch (error) {
      if (isPlazaError(error) && error.status >= 400 && error.status < 500) {
        setBegun(undefined)
      }
      throw error
    }
  }

  const update = async (
    { id, sent, thumbnailId }: ServerCopy,
    wanted: Wanted,
  ): Promise<ContentDetail> => {
    const { publish, thumbnail_upload_id = null } = wanted.input
    const { content } = await plaza.contents.update(id, {
      ...changesOf(sent, wanted.values),
      ...(thumbnail_upload_id !== thumbnailId && { thumbnail_upload_id }),
      ...(publish && { status: 'published' }),
    })
    replace(copyOf(content, wanted))
    return content
  }

  const store = async (wanted: Wanted): Promise<ContentDetail> => {
    const before = latest.current
    const isSame = before?.fixed === fixedOf(wanted.input)
    const content = before && isSame ? await update(before, wanted) : await create(wanted)
    queries.setQueryData(contentKey(content.id), content)
    void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
    return content
  }

  /**
   * Returns the values to save: the form's values, merged with the server's version. If the draft was archived or
   * no longer exists, the next save creates it again. Returns undefined and sets `newer` if the draft was published, or
   * at the first conflict.
   */
  const accept = async (values: ContentValues): Promise<ContentValues | undefined> => {
    const before = latest.current
    if (!before) return values
    const content = await find(before.id)
    if (!content || content.status === 'archived') {
      replace(undefined)
      return values
    }
    if (content.updated_at === before.updatedAt) return values
    const fresh = contentOf(content)
    const merged = merge(before, values, fresh)
    if ((merged.isOvertaken && !newer) || content.status !== 'draft') {
      queries.setQueryData(contentKey(content.id), content)
      setNewer(content)
      return undefined
    }
    replace({ ...before, updatedAt: content.updated_at, sent: fresh, stored: fresh })
    setNewer(undefined)
    return merged.values
  }

  return {
    copy,
    /** The server's version of the draft, if it conflicts with the form or was published. */
    newer,
    isSaved: ({ values, input }: Wanted): boolean => {
      const { current } = latest
      return (
        current?.fixed === fixedOf(input) &&
        current.thumbnailId === (input.thumbnail_upload_id ?? null) &&
        Object.keys(changesOf(current.sent, values)).length === 0
      )
    },
    /** True when saving would replace the draft with a new one. */
    isReplacedBy: ({ input }: Wanted) => copy !== undefined && copy.fixed !== fixedOf(input),
    accept,
    store,
    remove,
  }
}

function readBegun(cached: unknown): Begun | undefined {
  if (!isObject(cached)) return undefined
  const { wanted, key } = cached
  if (!isObject(wanted) || !isObject(wanted['values']) || !isObject(wanted['input']))
    return undefined
  return typeof key === 'string' ? { wanted: wanted as unknown as Wanted, key } : undefined
}

function fixedOf({ type, category, upload_ids, game }: Wanted['input']): string {
  return JSON.stringify([type, category, upload_ids, game])
}

function copyOf(content: ContentDetail, { values, input }: Wanted): ServerCopy {
  return {
    id: content.id,
    updatedAt: content.updated_at,
    sent: values,
    stored: contentOf(content),
    thumbnailId: input.thumbnail_upload_id ?? null,
    fixed: fixedOf(input),
  }
}

async function find(id: string): Promise<ContentDetail | undefined> {
  try {
    return (await plaza.contents.get(id)).content
  } catch (error) {
    // Without a session, the server returns 404 for all drafts. Only with a session does 404 mean a deleted draft.
    if (isMissing(error) && plaza.session) return undefined
    throw error
  }
}

async function erase(id: string): Promise<void> {
  await deleteOnce('CONTENT_NOT_FOUND', async () => {
    await plaza.contents.archive(id)
    await plaza.contents.erase(id)
  })
}
