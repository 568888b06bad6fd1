import { Type } from 'typebox'

type Hider = 'creator' | 'moderator'

/** Value of `hidden_by` in the row of a comment that the creator of the content hides. */
export const BY_CREATOR = 'creator'

/** Role of the user who hides a comment, a post or a message; null when it is not hidden. */
export const HiddenBy = Type.Unsafe<Hider | null>({
  type: ['string', 'null'],
  enum: ['creator', 'moderator', null],
  description: 'Who hid the text; null when it is not hidden',
})

/**
 * Returns the role of the user who hid a row, or null when the row is not hidden. `hidden_by` is the id of a
 * moderator's decision, or BY_CREATOR.
 */
export function toHiddenBy({ hidden_by }: { hidden_by: string | null }): Hider | null {
  return hidden_by === null || hidden_by === BY_CREATOR ? hidden_by : 'moderator'
}
