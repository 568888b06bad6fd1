import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { MessageCircle, SquarePen } from 'lucide-react'
import { useState } from 'react'
import type { Conversation as ConversationRecord } from '#sdk'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { More } from '../lists/Entries.tsx'
import { entriesOf } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { conversationsQuery } from '../shell/unread.ts'
import { Count } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Confirm } from '../ui/Dialog.tsx'
import { fieldErrorsOf, restOf, TextField } from '../ui/Field.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Panes } from '../ui/Panel.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { Time } from '../ui/Time.tsx'
import { Avatar } from '../ui/User.tsx'
import { Conversation } from './Conversation.tsx'
import styles from './Messages.module.css'
import {
  CONVERSATIONS_POLL_MS,
  requestsQuery,
  unreadMessagesQuery,
  useConversation,
  useListSearch,
} from './queries.ts'
import { texts } from './texts.ts'

export function Messages() {
  const t = useTexts(texts)
  const { id } = useParams({ strict: false })
  const peer = useConversation(id)?.peer
  const title = peer ? t.with(peer.display_name) : id === undefined ? t.title : t.conversation
  const [isStarting, setIsStarting] = useState(false)
  const start = () => setIsStarting(true)
  return (
    <Page title={title} hidesTitle width="full">
      <Panes
        labels={[t.conversations, t.conversation]}
        list={<Conversations onStart={start} />}
        open={id !== undefined && <Conversation key={id} id={id} />}
        nothing={<Choose onStart={start} />}
      />
      <StartDialog isOpen={isStarting} onClose={() => setIsStarting(false)} />
    </Page>
  )
}

/** Asks the viewer to choose a conversation. Hidden if there are no conversations. */
function Choose({ onStart }: { onStart: () => void }) {
  const t = useTexts(texts)
  const { data } = useInfiniteQuery(conversationsQuery)
  if (!data?.pages.some(({ conversations }) => conversations.length > 0)) return null
  return (
    <Empty
      icon={<MessageCircle />}
      title={t.choose}
      action={<Button onClick={onStart}>{t.start}</Button>}
    >
      {t.chooseHelp}
    </Empty>
  )
}

function Conversations({ onStart }: { onStart: () => void }) {
  const t = useTexts(texts)
  const search = useListSearch()
  const isRequests = search.state === 'request'
  const query = useInfiniteQuery({
    ...(isRequests ? requestsQuery : conversationsQuery),
    refetchInterval: CONVERSATIONS_POLL_MS,
  })
  const conversations = entriesOf(query.data?.pages, (page) => page.conversations)
  return (
    <>
      <div className={styles.listHead}>
        <h2>{t.title}</h2>
        <IconButton icon={<SquarePen />} label={t.start} onClick={onStart} />
      </div>
      <Lists isRequests={isRequests} />
      {query.isPending && <Bones />}
      {query.isError && !query.data && (
        <div className={styles.problem}>
          <Problem error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {query.data && conversations.length === 0 && (
        <Empty
          icon={<MessageCircle />}
          title={isRequests ? t.noRequests : t.empty}
          level={3}
          action={
            !isRequests && (
              <Button look="primary" onClick={onStart}>
                {t.start}
              </Button>
            )
          }
        >
          {isRequests ? t.noRequestsHelp : t.emptyHelp}
        </Empty>
      )}
      <ul className={styles.conversationsList}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <Line conversation={conversation} search={search} />
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  )
}

/**
 * Links to the lists of conversations and of message requests. The conversations page shows the links only if the
 * viewer has requests or the `dm_policy` is `requests`.
 */
function Lists({ isRequests }: { isRequests: boolean }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const { data } = useQuery({ ...unreadMessagesQuery, refetchInterval: CONVERSATIONS_POLL_MS })
  const count = data?.request_count ?? 0
  if (!isRequests && count === 0 && viewer?.dm_policy !== 'requests') return null
  return (
    <div className={styles.lists}>
      <Tabs label={t.lists}>
        <Tab to="/messages" search={{}}>
          {t.conversations}
        </Tab>
        <Tab to="/messages" search={{ state: 'request' }}>
          {t.requests}
          {count > 0 && <Count count={count} label={t.requestCount(count)} />}
        </Tab>
      </Tabs>
    </div>
  )
}

interface LineProps {
  conversation: ConversationRecord
  search: ReturnType<typeof useListSearch>
}

function Line({ conversation, search }: LineProps) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const { id, peer, last_message, unread_count, updated_at } = conversation
  const isOwn = last_message?.sender_id === viewer?.id
  const lang = useLangOf(last_message?.body ?? '')
  const body = last_message?.is_deleted ? t.messageDeleted : (last_message?.body ?? t.nothingSaid)
  return (
    <Link
      to="/messages/$id"
      params={{ id }}
      search={search}
      className={`${styles.line} ${unread_count > 0 ? styles.unread : ''}`}
    >
      <Avatar user={peer} size={44} />
      <span className={styles.text}>
        <span className={styles.top}>
          <span className={styles.name}>{peer.display_name}</span>
          <span className={styles.time}>
            <Time time={updated_at} />
          </span>
        </span>
        <span className={styles.bottom}>
          <span className={styles.last} lang={lang}>
            {isOwn && !last_message?.is_deleted ? t.mine(body) : body}
          </span>
          {unread_count > 0 && <Count count={unread_count} label={t.unread(unread_count)} />}
        </span>
      </span>
    </Link>
  )
}

function Bones() {
  return (
    <Loading className={styles.conversationsList}>
      {Array.from({ length: 7 }, (_, index) => (
        <div key={index} className={styles.line}>
          <Skeleton width="44px" height="44px" round />
          <span className={styles.text}>
            <Skeleton width="45%" height="18px" />
            <Skeleton width={index % 2 ? '70%' : '85%'} height="16px" />
          </span>
        </div>
      ))}
    </Loading>
  )
}

const FOLLOWED = 100

interface Props {
  isOpen: boolean
  onClose: () => void
}

function StartDialog({ isOpen, onClose }: Props) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [handle, setHandle] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (chosen: string) => plaza.conversations.create({ handle: chosen }),
    onSuccess: async ({ conversation: { id } }) => {
      close()
      void queries.invalidateQueries({ queryKey: conversationsQuery.queryKey })
      await navigate({ to: '/messages/$id', params: { id } })
    },
  })
  const close = () => {
    onClose()
    setHandle('')
    reset()
  }
  const wanted = handle.trim().replace(/^@/, '')
  return (
    <Confirm
      isOpen={isOpen}
      onClose={close}
      title={t.startTitle}
      description={t.startHelp}
      act={t.open}
      missing={wanted === '' && t.handleMissing}
      isBusy={isPending}
      error={restOf(error, ['handle'])}
      onConfirm={() => mutate(wanted)}
    >
      <TextField
        label={t.handle}
        value={handle}
        onChange={({ target }) => setHandle(target.value)}
        placeholder="@"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        error={fieldErrorsOf(error)['handle']}
      />
      {isOpen && <Followed filter={wanted} onChoose={mutate} />}
    </Confirm>
  )
}

interface FollowedProps {
  filter: string
  onChoose: (handle: string) => void
}

function Followed({ filter, onChoose }: FollowedProps) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const handle = viewer?.handle ?? ''
  const { data } = useQuery({
    queryKey: ['messages', 'followed', handle],
    queryFn: ({ signal }) =>
      plaza.creators.listFollowing(handle, { per_page: FOLLOWED }, { signal }),
    enabled: handle !== '',
  })
  if (!data || data.users.length === 0) return null
  const part = filter.toLocaleLowerCase()
  const users = data.users.filter(({ handle: candidate, display_name }) =>
    [candidate, display_name.toLocaleLowerCase()].some((text) => text.includes(part)),
  )
  return (
    <div className={styles.followed}>
      <p className={styles.label}>{t.following}</p>
      {users.length === 0 && <p className={styles.none}>{t.noneFollowed}</p>}
      <ul className={styles.people}>
        {users.map((user) => (
          <li key={user.id}>
            <button type="button" className={styles.person} onClick={() => onChoose(user.handle)}>
              <Avatar user={user} size={32} />
              <span className={styles.startDialogName}>{user.display_name}</span>
              <span className={styles.handle}>@{user.handle}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
