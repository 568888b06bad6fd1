import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessageCircle, SquarePen } from 'lucide-react'
import type { Conversation } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { entriesOf } from '../lists/paging.ts'
import { useViewer } from '../session/viewer.ts'
import { conversationsQuery } from '../shell/unread.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Count } from '../ui/Count.tsx'
import { Empty } from '../ui/Empty.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Loading } from '../ui/Loading.tsx'
import { More } from '../ui/More.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './Conversations.module.css'
import { CONVERSATIONS_POLL_MS } from './queries.ts'
import { texts } from './texts.ts'

/** List of the viewer's conversations, latest activity first. */
export function Conversations({ onStart }: { onStart: () => void }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery({
    ...conversationsQuery,
    refetchInterval: CONVERSATIONS_POLL_MS,
  })
  const conversations = entriesOf(query.data?.pages, (page) => page.conversations)
  return (
    <>
      <div className={styles.head}>
        <h2>{t.title}</h2>
        <IconButton icon={<SquarePen aria-hidden="true" />} label={t.start} onClick={onStart} />
      </div>
      {query.isPending && <Bones />}
      {query.isError && !query.data && (
        <div className={styles.problem}>
          <Problem error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {query.data && conversations.length === 0 && (
        <Empty
          icon={<MessageCircle aria-hidden="true" />}
          title={t.empty}
          level={3}
          action={
            <Button look="primary" onClick={onStart}>
              {t.start}
            </Button>
          }
        >
          {t.emptyHelp}
        </Empty>
      )}
      <ul className={styles.list}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <Line conversation={conversation} />
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  )
}

function Line({ conversation }: { conversation: Conversation }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const { id, peer, last_message, unread_count, updated_at } = conversation
  const isOwn = last_message?.sender_id === viewer?.id
  const body = last_message?.body ?? t.nothingSaid
  return (
    <Link
      to="/messages/$id"
      params={{ id }}
      className={`${styles.line} ${unread_count > 0 ? styles.unread : ''}`}
    >
      <Avatar person={peer} size={44} />
      <span className={styles.text}>
        <span className={styles.top}>
          <span className={styles.name}>{peer.display_name}</span>
          <span className={styles.time}>
            <Time at={updated_at} />
          </span>
        </span>
        <span className={styles.bottom}>
          <span className={styles.last}>{isOwn ? t.mine(body) : body}</span>
          {unread_count > 0 && <Count count={unread_count} label={t.unread(unread_count)} />}
        </span>
      </span>
    </Link>
  )
}

function Bones() {
  return (
    <Loading className={styles.list}>
      {Array.from({ length: 7 }, (_, at) => (
        <div key={at} className={styles.line}>
          <Skeleton width="44px" height="44px" round />
          <span className={styles.text}>
            <Skeleton width="45%" height="18px" />
            <Skeleton width={at % 2 ? '70%' : '85%'} height="16px" />
          </span>
        </div>
      ))}
    </Loading>
  )
}
