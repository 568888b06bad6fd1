import type { Db } from '../db/handle.ts'

export class ContentViews {
  constructor(_db: Db, _now: () => number, _onError: (error: unknown) => void) {}
  /** Notes that somebody saw a work. `viewer` is a user's id, or stands for an anonymous caller. */
  note(_contentId: string, _viewer: string): void {}
  async close(): Promise<void> {}
}
