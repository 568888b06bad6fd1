import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import type { UserRef } from '#sdk'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { useDraft } from '../session/drafts.ts'
import { useIsSignedIn, useViewer, viewerQuery } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Counter } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Conversation.module.css'
import { Log } from './Log.tsx'
import { messagesOf } from './merging.ts'
import { send, useUnsent } from './outbox.ts'
import { latestQuery, MESSAGE_MAX, messagesQuery, peerQuery, useConversation } from './queries.ts'
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
        className={styles.text}
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
        icon={<SendHorizontal aria-hidden="true" />}
        label={t.send}
        disabled={!isGood}
      />
      <WritingFoot id={hint} length={length} />
    </form>
  )
}

function WritingFoot({ id, length }: { id: string; length: number }) {
  const t = useTexts(texts)
  return (
    <p className={styles.foot}>
      <span id={id} className={styles.hint}>
        {t.hint}
      </span>
      {length > NEARLY_FULL && <Counter length={length} max={MESSAGE_MAX} />}
    </p>
  )
}

/**
 * Returns true for Enter without Shift, except while an input method composes text. In Safari, the Enter that
 * ends a composition arrives after the composition's end, but with key code 229.
 */
function isSend({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229
}
