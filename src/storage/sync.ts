import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** True where folders are synced. Windows cannot open folders, and does not need to sync them. */
const SYNCS_FOLDERS = process.platform !== 'win32'

/** Syncs a file to the disk (fsync(2)) and sets its modification time to now. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const now = new Date()
    await handle.utimes(now, now)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a folder to the disk. Blocks the process, so use it only at a start or in the command line tool. */
export function syncFolderNow(folder: string): void {
  if (!SYNCS_FOLDERS) return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export class FolderSyncs {
  /** The running sync of each folder, and the next one if it is scheduled. */
  readonly #waiting = new Map<string, { running: Promise<void>; next?: Promise<void> }>()

  /** Resolves when the folder's changes before this call are synced to the disk. Concurrent calls share a sync. */
  async sync(folder: string): Promise<void> {
    if (!SYNCS_FOLDERS) return
    const busy = this.#waiting.get(folder)
    // The running sync may have started before the change, so a further one follows.
    if (busy) return (busy.next ??= busy.running.catch(() => {}).then(() => this.#run(folder)))
    return this.#run(folder)
  }

  #run(folder: string): Promise<void> {
    const running = syncFolder(folder).finally(() => {
      if (!this.#waiting.get(folder)?.next) this.#waiting.delete(folder)
    })
    this.#waiting.set(folder, { running })
    return running
  }
}
