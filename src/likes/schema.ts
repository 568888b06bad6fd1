import { Type } from 'typebox'

export const LikeResult = Type.Object(
  { is_liked: Type.Boolean(), like_count: Type.Integer() },
  { title: 'LikeResult' },
)
