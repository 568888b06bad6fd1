import { Type } from 'typebox'

export const FollowQuery = Type.Object({
  content_id: Type.Optional(
    Type.String({
      description: 'The content of the creator from which you follow. Other values are ignored',
    }),
  ),
})

export const FollowResult = Type.Object(
  { is_following: Type.Boolean(), follower_count: Type.Integer() },
  { title: 'FollowResult' },
)
