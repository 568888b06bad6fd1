/** A boolean as both engines store it; see `YES` and `NO` in `statement.ts`. */
export type Flag = 0 | 1
