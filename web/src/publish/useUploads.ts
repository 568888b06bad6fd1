import { useEffect, useState, useSyncExternalStore } from 'react'
import { plaza } from '../session/plaza.ts'
import { type Snapshot, UploadQueue } from './uploads.ts'

export interface Uploads extends Snapshot {
  queue: UploadQueue
}

/** Files of a page; what is still on its way when the page is left is stopped. */
export function useUploads(): Uploads {
  const [queue] = useState(() => new UploadQueue((file, options) => plaza.upload(file, options)))
  const snapshot = useSyncExternalStore(queue.subscribe, () => queue.snapshot)
  useEffect(() => () => queue.clear(), [queue])
  return { queue, ...snapshot }
}
