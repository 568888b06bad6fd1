/** A boolean as both engines store it. Statements contain it as the literals `TRUE` and `FALSE` of `statement.ts`. */
export type Flag = 0 | 1
