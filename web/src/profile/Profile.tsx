import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CalendarDays, MessageCircle, Pencil } from 'lucide-react'
import { Suspense } from 'react'
import { type Creator, isPlazaError, type UserRef } from '#sdk'
import { GridSkeleton, useContentList } from '../contents/Feed.tsx'
import { creatorContentsQuery } from '../contents/queries.ts'
import { FollowButton, UserMenu } from '../creators/FollowButton.tsx'
import { creatorQuery } from '../creators/queries.ts'
import { texts } from '../creators/texts.ts'
import { lazyPart } from '../device/connected.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { asMember, useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/Failed.tsx'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Avatar, LinkedText } from '../ui/User.tsx'
import { problemText } from '../ui/problemText.ts'
import { BLURRED, thumbnailSources } from '../ui/sources.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import styles from './Profile.module.css'
import { ProfileLists } from './ProfileLists.tsx'

const Unblock = lazyPart<{ user: UserRef }, 'Unblock'>(
  () => import('../creators/UserItems.tsx'),
  'Unblock',
)

const route = getRouteApi('/creators/$handle')

export function Profile() {
  const { handle } = route.useParams()
  const { data: creator, error, refetch } = useQuery(creatorQuery(handle))
  if (isMissing(error)) return <NotFound error={error} />
  return (
    <Page title={creator?.display_name ?? `@${handle}`} hidesTitle>
      {creator ? (
        <Parts creator={creator} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <>
          <div className={styles.banner} />
          <ProfileHeadSkeleton />
          <GridSkeleton />
        </>
      )}
    </Page>
  )
}

function Parts({ creator }: { creator: Creator }) {
  const latest = useContentList(creatorContentsQuery(creator.handle))
  const newest = latest.data?.pages[0]?.feeds
  const shown = newest?.find(({ thumbnail_url }) => thumbnail_url)
  return (
    <>
      {/* The banner shows the blurred thumbnail of the newest content that has one. */}
      <div className={styles.banner}>
        {shown?.thumbnail_url && (
          <img
            srcSet={thumbnailSources(shown)}
            sizes={BLURRED}
            src={shown.thumbnail_url}
            alt=""
            decoding="async"
          />
        )}
      </div>
      <ProfileHead creator={creator} />
      <ProfileLists creator={creator} latest={latest} />
    </>
  )
}

/** Head of a profile. Screen readers skip the name here, because the page's heading contains it. */
function ProfileHead({ creator }: { creator: Creator }) {
  const { handle, display_name, bio } = creator
  return (
    <div className={styles.head}>
      <span className={styles.picture}>
        <Avatar user={creator} size={96} />
      </span>
      <div className={styles.who}>
        <p className={styles.name} aria-hidden="true">
          {display_name}
        </p>
        <p className={styles.handle}>@{handle}</p>
      </div>
      <Acts creator={creator} />
      <div className={styles.about}>
        {bio && (
          <p className={styles.bio}>
            <LinkedText text={bio} />
          </p>
        )}
        <Counts creator={creator} />
      </div>
    </div>
  )
}

function Counts({ creator }: { creator: Creator }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { handle, content_count, follower_count, following_count, created_at } = creator
  return (
    <ul className={styles.counts}>
      <li>
        {t.contents} <strong>{formats.count(content_count)}</strong>
      </li>
      <li>
        <Link to="/creators/$handle/followers" params={{ handle }}>
          {t.followers} <strong>{formats.count(follower_count)}</strong>
        </Link>
      </li>
      <li>
        <Link to="/creators/$handle/following" params={{ handle }}>
          {t.following} <strong>{formats.count(following_count)}</strong>
        </Link>
      </li>
      <li className={styles.joined}>
        <CalendarDays />
        <time dateTime={created_at}>{t.joined(formats.date(created_at))}</time>
      </li>
    </ul>
  )
}

function Acts({ creator }: { creator: Creator }) {
  const { handle } = creator
  const t = useTexts(texts)
  const viewer = useViewer()
  // Reserves space for the buttons while the viewer's account loads.
  if (viewer === undefined) return <div className={styles.acts} />
  return (
    <div className={styles.acts}>
      {viewer?.handle === handle ? (
        <LinkButton to="/account" icon={<Pencil />}>
          {t.edit}
        </LinkButton>
      ) : (
        <>
          {creator.is_blocked ? (
            <Suspense>
              <Unblock user={creator} />
            </Suspense>
          ) : (
            <>
              <FollowButton handle={handle} size="medium" look="primary" />
              <SendMessage handle={handle} />
            </>
          )}
          <UserMenu user={creator} />
        </>
      )}
    </div>
  )
}

function ProfileHeadSkeleton() {
  return (
    <div className={styles.head}>
      <span className={styles.picture}>
        <Skeleton width="96px" height="96px" round />
      </span>
      <div className={styles.who}>
        <Skeleton width="180px" height="30px" />
        <Skeleton width="110px" height="22px" />
      </div>
      <div className={styles.acts} />
      <div className={styles.about}>
        <Skeleton width="min(420px, 100%)" height="22px" />
        <Skeleton width="min(300px, 100%)" height="24px" />
      </div>
    </div>
  )
}

function SendMessage({ handle }: { handle: string }) {
  const t = useTexts(texts)
  const said = useTexts(uiTexts)
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: () => plaza.conversations.create({ handle }),
    onSuccess: ({ conversation: { id } }) => navigate({ to: '/messages/$id', params: { id } }),
    onError: (error) => {
      const isAnswer = isPlazaError(error) && error.status > 0
      toast(isAnswer ? problemText(error, said) : t.messageFailed, { isBad: true })
    },
  })
  return (
    <Button icon={<MessageCircle />} busy={isPending} onClick={() => asMember(() => mutate())}>
      {t.message}
    </Button>
  )
}
