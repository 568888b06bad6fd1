export interface ContentViews {
  /** Notes that somebody saw a work. `viewer` is a user's id, or stands for an anonymous caller. */
  note(contentId: string, viewer: string): void
}
