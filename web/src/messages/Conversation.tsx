import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, LogOut, SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { UserRef } from '#sdk'
import { UserMenu } from '../creators/FollowButton.tsx'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { useDraft } from '../session/drafts.ts'
import { useIsSignedIn, useViewer, viewerQuery } from '../session/viewer.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { Counter } from '../ui/Field.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { Avatar } from '../ui/User.tsx'
import { Log } from './Log.tsx'
import { messagesOf } from './messageRows.ts'
import styles from './Messages.module.css'
import { send, useUnsent } from './outbox.ts'
import {
  accept,
  latestQuery,
  leave,
  MESSAGE_MAX,
  messagesQuery,
  peerQuery,
  useConversation,
  useListSearch,
} from './queries.ts'
import { texts } from './texts.ts'

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
      <Head id={id} peer={peer} isKnown={conversation !== undefined} />
      {conversation?.state === 'request' && <Request id={id} />}
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

interface HeadProps {
  id: string
  /** Undefined for a deleted user, and while the conversation loads. */
  peer: UserRef | undefined
  isKnown: boolean
}

function Head({ id, peer, isKnown }: HeadProps) {
  const t = useTexts(texts)
  const search = useListSearch()
  const [isLeaving, setIsLeaving] = useState(false)
  return (
    <div className={styles.head}>
      <Link
        to="/messages"
        search={search}
        className={styles.back}
        aria-label={t.back}
        title={t.back}
      >
        <ArrowLeft />
      </Link>
      {peer ? (
        <>
          <Avatar user={peer} size={36} />
          <div className={styles.who}>
            <h2 className={styles.peerName}>
              <Link to="/creators/$handle" params={{ handle: peer.handle }}>
                {peer.display_name}
              </Link>
            </h2>
            <p className={styles.peerHandle}>@{peer.handle}</p>
          </div>
          <UserMenu
            user={peer}
            className={styles.menu}
            groups={[[{ label: t.leave, icon: <LogOut />, onClick: () => setIsLeaving(true) }]]}
          />
          <Leave id={id} isOpen={isLeaving} onClose={() => setIsLeaving(false)} />
        </>
      ) : isKnown ? (
        <h2 className={styles.peerName}>{t.conversation}</h2>
      ) : (
        <>
          <Skeleton width="36px" height="36px" round />
          <Skeleton width="120px" height="20px" />
        </>
      )}
    </div>
  )
}

interface LeaveProps {
  id: string
  isOpen: boolean
  onClose: () => void
}

function Leave({ id, isOpen, onClose }: LeaveProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const search = useListSearch()
  return (
    <ConfirmRequest
      isOpen={isOpen}
      onClose={onClose}
      title={t.leaveTitle}
      description={t.leaveHelp}
      act={t.leave}
      isDangerous
      request={() => leave(queries, id)}
      onDone={() => {
        toast(t.left, { isForNextPage: true })
        void navigate({ to: '/messages', search })
      }}
    />
  )
}

/** Button that accepts a message request. A reply also accepts the request. */
function Request({ id }: { id: string }) {
  const t = useTexts(texts)
  const said = useTexts(uiTexts)
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => accept(queries, id),
    onSuccess: () => toast(t.accepted),
    onError: (error) => toast(problemText(error, said), { isBad: true }),
  })
  return (
    <div className={styles.request}>
      <p>{t.requestHelp}</p>
      <Button size="small" look="primary" busy={isPending} onClick={() => mutate()}>
        {t.accept}
      </Button>
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
  if (data?.isAvailable === false || data?.isBlocked) {
    return (
      <p className={styles.gone} role="status">
        {data.isBlocked ? t.peerBlocked : t.peerGone}
      </p>
    )
  }
  return <Writing id={id} viewerId={viewer.id} />
}

function Bones({ isShown }: { isShown: boolean }) {
  if (!isShown) return <div className={styles.bones} />
  return (
    <Loading className={styles.bones}>
      {[46, 30, 58, 38, 26, 50].map((width, index) => (
        <div key={width} className={index % 3 === 2 ? styles.boneOwn : undefined}>
          <Skeleton width={`${width}%`} height="40px" />
        </div>
      ))}
    </Loading>
  )
}

const NEARLY_FULL = MESSAGE_MAX - 200

function Writing({ id, viewerId }: { id: string; viewerId: string }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const hint = useId()
  const [body, change] = useDraft(`message.${id}`)
  const length = lengthOf(body)
  const isGood = length > 0 && length <= MESSAGE_MAX
  const submit = () => {
    if (!isGood) return
    send(queries, { conversation_id: id, sender_id: viewerId, body: body.trim() })
    change('')
  }
  return (
    <form
      className={styles.writing}
      onSubmit={(event) => {
        event.preventDefault()
        // Sending disables the focused button, so the text box takes the focus.
        event.currentTarget.querySelector('textarea')?.focus()
        submit()
      }}
    >
      <textarea
        className={styles.field}
        rows={1}
        aria-label={t.write}
        aria-describedby={hint}
        aria-invalid={length > MESSAGE_MAX || undefined}
        placeholder={t.placeholder}
        enterKeyHint="send"
        value={body}
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (!isSend(event)) return
          event.preventDefault()
          submit()
        }}
      />
      <IconButton
        type="submit"
        className={styles.send ?? ''}
        icon={<SendHorizontal />}
        label={t.send}
        disabled={!isGood}
      />
      <p className={styles.foot}>
        <span id={hint} className={styles.hint}>
          {t.hint}
        </span>
        {length > NEARLY_FULL && <Counter length={length} max={MESSAGE_MAX} />}
      </p>
    </form>
  )
}

/**
 * True for Enter without Shift, except the Enter that ends a composition. In Safari, that Enter arrives after the
 * composition, with key code 229.
 */
function isSend({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229
}
