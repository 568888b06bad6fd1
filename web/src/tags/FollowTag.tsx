import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { isPlazaError } from '#sdk'
import styles from '../creators/creators.module.css'
import { texts } from '../creators/texts.ts'
import { feedsBy } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/asking.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'

export const tagQuery = (tag: string) =>
  queryOptions({
    queryKey: ['tags', 'one', tag],
    queryFn: ({ signal }) => plaza.tags.get(tag, {}, { signal }),
  })

export function FollowTag({ tag }: { tag: string }) {
  const t = useTexts(texts)
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
    onError: (error) => {
      // Shows the server's message if the server rejected the request.
      const isRefused = isPlazaError(error) && error.status >= 400 && error.status < 500
      toast(isRefused ? words.undoneSince(problemText(error, words)) : words.undone, {
        isBad: true,
      })
    },
  })
  const isFollowing = isPending ? variables : (data?.tag.is_following ?? false)
  return (
    <Button
      icon={isFollowing ? <Check /> : <Plus />}
      className={styles.button ?? ''}
      aria-pressed={isFollowing}
      onClick={() => !isPending && asMember(() => mutate(!isFollowing))}
    >
      {isFollowing ? t.followed : t.follow}
      <span className="unseen"> #{tag}</span>
    </Button>
  )
}
