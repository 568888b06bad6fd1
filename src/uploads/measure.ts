import type { Db } from '../db/handle.ts'
import type { Store } from '../storage/store.ts'
import { listUnmeasured, setMeasured } from './usage.ts'

const BATCH = 100

/**
 * Adds the sizes of thumbnails and renditions to the rows of files from earlier versions, which did not
 * record them. A missing thumbnail has size 0.
 */
export async function measureFiles(db: Db, store: Store): Promise<void> {
  for (let after = ''; ; ) {
    const files = await listUnmeasured(db, after, BATCH)
    for (const { sha256, path, thumbnail_path } of files) {
      // The row of a generated game thumbnail has the same path for file and thumbnail. Its bytes are already
      // counted as those of the file.
      const isSeparateFile = thumbnail_path !== null && thumbnail_path !== path
      const thumbnail = isSeparateFile ? await store.find(thumbnail_path) : undefined
      let renditionBytes = 0
      for await (const { sizeBytes } of store.list(`${sha256}/`)) renditionBytes += sizeBytes
      const found = { thumbnailBytes: thumbnail?.sizeBytes ?? 0, renditionBytes }
      await db.transaction((tx) => setMeasured(tx, sha256, found))
    }
    const last = files.at(-1)
    if (!last || files.length < BATCH) return
    after = last.sha256
  }
}
