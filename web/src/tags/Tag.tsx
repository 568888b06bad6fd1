import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Hash } from 'lucide-react'
import { InfiniteGrid, NewContents, SortTabs, useContentList } from '../contents/Feed.tsx'
import { feedQuery, feedsBy } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { FollowToggle } from '../creators/FollowButton.tsx'
import { useFormats } from '../language/formats.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { asMember } from '../session/viewer.ts'
import { Page } from '../ui/Page.tsx'
import { Empty } from '../ui/Problem.tsx'
import { undoneText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'

const texts = defineTexts({
  count: (count: string) => [`작품 ${count}개`, count === '1' ? '1 work' : `${count} works`],
  nothing: (tag: string) => [
    `‘${tag}’ 태그가 붙은 작품이 아직 없어요`,
    `No works are tagged “${tag}” yet`,
  ],
  nothingHelp: [
    '작품을 올릴 때 이 태그를 붙이면 여기에 모여요.',
    'Add this tag to a work you publish and it appears here.',
  ],
  publish: ['작품 올리기', 'Publish a work'],
})

const route = getRouteApi('/tags/$tag')

export function Tag() {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const formats = useFormats()
  const { tag } = route.useParams()
  const { sort } = route.useSearch()
  const query = useContentList(feedQuery('all', { sort, tag }))
  const total = useQuery(tagQuery(tag)).data?.tag.content_count
  return (
    <Page
      title={`#${tag}`}
      // A non-breaking space reserves the line until the count loads.
      lead={total === undefined ? '\u00a0' : t.count(formats.number(total))}
      actions={<FollowTag tag={tag} />}
    >
      <SortTabs to="/tags/$tag" params={{ tag }} />
      <NewContents target="all" sort={sort} tag={tag} />
      <h2 className="unseen">{words[sort ?? 'latest']}</h2>
      <InfiniteGrid
        query={query}
        empty={
          <Empty
            icon={<Hash />}
            title={t.nothing(tag)}
            level={3}
            action={t.publish}
            link={{ to: '/publish' }}
          >
            {t.nothingHelp}
          </Empty>
        }
      />
    </Page>
  )
}

const tagQuery = (tag: string) =>
  queryOptions({
    queryKey: ['tags', 'one', tag],
    queryFn: ({ signal }) => plaza.tags.get(tag, {}, { signal }),
  })

function FollowTag({ tag }: { tag: string }) {
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
