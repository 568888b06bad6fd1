import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { feedsBy } from '../contents/queries.ts'
import { FollowToggle } from '../creators/FollowButton.tsx'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/viewer.ts'
import { plaza } from '../session/plaza.ts'
import { undoneText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'

export const tagQuery = (tag: string) =>
  queryOptions({
    queryKey: ['tags', 'one', tag],
    queryFn: ({ signal }) => plaza.tags.get(tag, {}, { signal }),
  })

export function FollowTag({ tag }: { tag: string }) {
  const words = useTexts(uiTexts)
  const queries = useQueryClient()
  const query = tagQuery(tag)
  const { data } = useQuery(query)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (wanted: boolean) => (wanted ? plaza.tags.follow(tag) : plaza.tags.unfollow(tag)),
    onSuccess: (result) => {
      queries.setQueryData(
        query.queryKey,
        (cached) => cached && { tag: { ...cached.tag, ...result } },
      )
      void queries.invalidateQueries({ queryKey: ['home', 'rows'] })
      return queries.invalidateQueries(feedsBy('tags'))
    },
    onError: (error) => toast(undoneText(error, words), { isBad: true }),
  })
  const isFollowing = isPending ? variables : (data?.tag.is_following ?? false)
  return (
    <FollowToggle
      name={`#${tag}`}
      isFollowing={isFollowing}
      onClick={() => !isPending && asMember(() => mutate(!isFollowing))}
    />
  )
}
