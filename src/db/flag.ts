/** A boolean as both engines store it. `TRUE` and `FALSE` in `statement.ts` are its SQL literals. */
export type Flag = 0 | 1
