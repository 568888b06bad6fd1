import { Type } from 'typebox'

export const BookmarkResult = Type.Object(
  { is_bookmarked: Type.Boolean(), bookmark_count: Type.Integer() },
  { title: 'BookmarkResult' },
)
