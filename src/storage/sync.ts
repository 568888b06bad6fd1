/** What makes changes on the local disk survive a power cut (fsync(2)). */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** On Windows a folder cannot be opened, and its changes need no such call. */
const SYNCS_FOLDERS = process.platform !== 'win32'

/** Makes the bytes of a file durable, and its time of change now. */
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

/** Makes the names in a folder durable, at the start of the process. */
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

/** Makes the names in folders durable; whoever waits for the same folder shares one sync. */
export class FolderSyncs {
  /** Of each folder: the sync that runs, and the one that will run after it. */
  readonly #waiting = new Map<string, { running: Promise<void>; next?: Promise<void> }>()

  /** Resolves once every change that was made in the folder before this call is durable. */
  async sync(folder: string): Promise<void> {
    if (!SYNCS_FOLDERS) return
    const busy = this.#waiting.get(folder)
    // The one that runs may have begun before the change.
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
