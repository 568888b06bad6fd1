import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import type { useFormDraft } from '../session/drafts.ts'

const QUIET_MS = 2000
const RETRY_MS = 10_000

interface Options {
  /** Text that identifies the unsaved changes. Null when there are no changes, or when saving them is impossible. */
  changes: string | null
  /** Milliseconds between the last change and the save. Default: 2000. */
  quietMs?: number | undefined
  /** Saves the current changes. Does nothing when there are none. */
  save: () => Promise<void>
  /** Called when the user has left the page and its last changes are saved. */
  onLeft?: () => void
}

/**
 * Saves changes after a pause, and immediately when the page is hidden or left. One save runs at a time. Retries failed
 * saves, unless the server rejected the changes.
 */
export function useAutosave({ changes, quietMs = QUIET_MS, save, onLeft }: Options) {
  const running = useRef<Promise<void>>(undefined)
  const isLeft = useRef(false)
  const [state, setState] = useState<'idle' | 'saving' | 'saved' | 'failed'>('idle')
  const [rejected, setRejected] = useState<string | null>(null)
  const attempt = async () => {
    try {
      await save()
      setState('saved')
    } catch (error) {
      setState('failed')
      setRejected(isRejection(error) ? changes : null)
    }
    running.current = undefined
  }
  const isRejected = state === 'failed' && changes === rejected
  const run = useEffectEvent(() => {
    if (changes === null || running.current) return
    setState('saving')
    running.current = attempt()
  })
  const leave = useEffectEvent(async () => {
    await running.current
    run()
    await running.current
    if (isLeft.current) onLeft?.()
  })
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      void leave()
    }
  }, [])
  useEffect(() => {
    if (changes === null || state === 'saving' || isRejected) return
    const timer = setTimeout(() => run(), state === 'failed' ? RETRY_MS : quietMs)
    const ended = new AbortController()
    const { signal } = ended
    addEventListener('online', () => run(), { signal })
    const onVisibility = () => document.visibilityState === 'hidden' && run()
    document.addEventListener('visibilitychange', onVisibility, { signal })
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [changes, quietMs, state, isRejected])
  return {
    isSaving: state === 'saving',
    hasFailed: state === 'failed',
    /** True when the server has rejected the current changes. */
    isRejected: isRejected && changes !== null,
    /** True when the last save succeeded. */
    hasSaved: state === 'saved',
    /** Resolves when no save is running. */
    settled: async () => running.current,
  }
}

/**
 * True when a retry would fail too, because the server rejected the request. False for 429, because a later retry can
 * succeed.
 */
function isRejection(error: unknown): boolean {
  return isPlazaError(error) && error.status >= 400 && error.status < 500 && error.status !== 429
}

/**
 * Stores a form on this device, and removes it if `json` is null. Stores nothing once `isOver` is set. Returns false when
 * the browser cannot store the form.
 */
export function useStoredForm(
  draft: ReturnType<typeof useFormDraft>,
  json: string | null,
  isOver?: { readonly current: boolean },
): boolean {
  const [isStored, setIsStored] = useState(true)
  useEffect(() => {
    if (!isOver?.current) setIsStored(draft.save(json))
  }, [draft, json, isOver])
  return isStored
}

export type SaveState = 'unsaved' | 'saving' | 'saved' | 'failed' | 'blocked' | 'behind'

interface FormState {
  isSaved: boolean
  hasMistakes: boolean
  isBehind: boolean
}

export function saveStateOf(
  { isSaving, hasFailed, isRejected }: ReturnType<typeof useAutosave>,
  { isSaved, hasMistakes, isBehind }: FormState,
): SaveState {
  if (isBehind) return 'behind'
  if (isSaved) return 'saved'
  if (hasMistakes || isRejected) return 'blocked'
  if (isSaving) return 'saving'
  return hasFailed ? 'failed' : 'unsaved'
}
