import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'

const QUIET_MS = 2000
const RETRY_MS = 10_000

interface Options {
  /** Identifies the unsaved changes. Null when there are none or they cannot be saved. */
  changes: string | null
  /** Milliseconds from the last change until the changes are saved. Default: 2000. */
  quietMs?: number | undefined
  /** Saves the current changes. Does nothing when there are none. */
  save: () => Promise<void>
  /** Called after the page was left and its last changes were saved. */
  onLeft?: () => void
}

/**
 * Saves changes after a pause, and immediately when the page is hidden or left. One save runs at a time. Retries after
 * a failure, and immediately when the connection returns. Does not retry changes that the server rejects.
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
 * True when the server has rejected the request, so that a retry would fail too. False for 429, which passes with
 * time.
 */
function isRejection(error: unknown): boolean {
  return isPlazaError(error) && error.status >= 400 && error.status < 500 && error.status !== 429
}
