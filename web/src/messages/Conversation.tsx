import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { UserRef } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn, useViewer, viewerQuery } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './Conversation.module.css'
import { Log } from './Log.tsx'
import { messagesOf } from './merging.ts'
import { useUnsent } from './outbox.ts'
import { latestQuery, messagesQuery, peerQuery, useConversation } from './queries.ts'
import { texts } from './texts.ts'
import { Writing } from './Writing.tsx'

/** Messages of a conversation, and the text box for a new one. */
export function Conversation({ id }: { id: string }) {
  const queries = useQueryClient()
  const viewer = useViewer()
  const account = useQuery({ ...viewerQuery, enabled: useIsSignedIn() })
  const conversation = useConversation(id)
  const query = useInfiniteQuery(messagesQuery(id))
  useQuery({ ...latestQuery(queries, id), enabled: query.data !== undefined })
  const unsent = useUnsent(id, viewer?.id)
  const peer = conversation?.peer
  return (
    <div className={styles.conversation}>
      <Head peer={peer} isKnown={conversation !== undefined} />
      {query.isError && !query.data && (
        <div className={styles.problem}>
          <Problem error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {account.isError && !viewer && (
        <div className={styles.problem}>
          <Problem error={account.error} retry={() => void account.refetch()} />
        </div>
      )}
      {query.data && viewer ? (
        <Log
          id={id}
          viewer={viewer}
          peer={peer}
          messages={messagesOf(query.data)}
          unsent={unsent}
          query={query}
        />
      ) : (
        <Bones isShown={!query.isError && !account.isError} />
      )}
      {viewer && <Foot id={id} viewer={viewer} peer={peer} />}
    </div>
  )
}

function Head({ peer, isKnown }: { peer: UserRef | undefined; isKnown: boolean }) {
  const t = useTexts(texts)
  return (
    <div className={styles.head}>
      <Link to="/messages" className={styles.back} aria-label={t.back} title={t.back}>
        <ArrowLeft aria-hidden="true" />
      </Link>
      {peer ? (
        <>
          <Avatar person={peer} size={36} />
          <div className={styles.who}>
            <h2 className={styles.name}>
              <Link to="/creators/$handle" params={{ handle: peer.handle }}>
                {peer.display_name}
              </Link>
            </h2>
            <p className={styles.handle}>@{peer.handle}</p>
          </div>
        </>
      ) : isKnown ? (
        <h2 className={styles.name}>{t.conversation}</h2>
      ) : (
        <>
          <Skeleton width="36px" height="36px" round />
          <Skeleton width="120px" height="20px" />
        </>
      )}
    </div>
  )
}

interface FootProps {
  id: string
  viewer: UserRef
  peer: UserRef | undefined
}

function Foot({ id, viewer, peer }: FootProps) {
  const t = useTexts(texts)
  const { data } = useQuery({ ...peerQuery(peer?.handle ?? ''), enabled: peer !== undefined })
  if (data?.isAvailable === false) {
    return (
      <p className={styles.gone} role="status">
        {t.peerGone}
      </p>
    )
  }
  return <Writing id={id} viewerId={viewer.id} />
}

/** Placeholder while messages load. It fills the space above the text box. */
function Bones({ isShown }: { isShown: boolean }) {
  if (!isShown) return <div className={styles.bones} />
  return (
    <Loading className={styles.bones}>
      {[46, 30, 58, 38, 26, 50].map((width, at) => (
        <div key={width} className={at % 3 === 2 ? styles.boneOwn : undefined}>
          <Skeleton width={`${width}%`} height="40px" />
        </div>
      ))}
    </Loading>
  )
}
