import { useEffect, useState } from 'react'
import { useStore } from '../device/store.ts'
import { isUploadThere, plaza } from '../session/plaza.ts'
import { type KeptFile, type Snapshot, UploadQueue } from './uploads.ts'

export interface Uploads extends Snapshot {
  queue: UploadQueue
}

const PAUSE_MS = 2000
const LONGEST_MS = 30_000

/**
 * Uploads of the current page. Leaving the page cancels the uploads. `isInUse` is true when a draft on the server
 * contains the restored uploads. The server never deletes uploads of a draft as unused.
 */
export function useUploads(cached?: readonly KeptFile[], isInUse = false): Uploads {
  const [queue] = useState(
    () =>
      new UploadQueue({
        send: (file, options) => plaza.upload(file, options),
        pause: untilNextAttempt,
        exists: isInUse ? async () => true : isUploadThere,
      }),
  )
  const [restored] = useState(cached)
  const snapshot = useStore(queue.store)
  useEffect(() => {
    if (restored) queue.restore(restored)
    return () => queue.clear()
  }, [queue, restored])
  return { queue, ...snapshot }
}

function untilNextAttempt(failed: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController()
    const end = (finish: () => void) => () => {
      ended.abort()
      clearTimeout(timer)
      finish()
    }
    const timer = setTimeout(end(resolve), Math.min(LONGEST_MS, PAUSE_MS * 2 ** (failed - 1)))
    addEventListener('online', end(resolve), { signal: ended.signal })
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason as Error)),
      {
        signal: ended.signal,
      },
    )
  })
}
