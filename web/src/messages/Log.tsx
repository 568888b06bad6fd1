import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Message, UserRef } from '#sdk'
import { useIsPageSeen } from '../device/pageSeen.ts'
import { useTexts } from '../language/texts.ts'
import { DayName } from '../lists/DayName.tsx'
import { byDay, type Day } from '../lists/days.ts'
import { More } from '../ui/More.tsx'
import { Bubble } from './Bubble.tsx'
import styles from './Log.module.css'
import type { Unsent } from './outbox.ts'
import { useKeptPlace } from './place.ts'
import { markRead } from './queries.ts'
import { type Row, rowsOf } from './rows.ts'
import { texts } from './texts.ts'

interface Props {
  id: string
  viewer: UserRef
  peer: UserRef | undefined
  messages: Message[]
  unsent: Unsent[]
  query: Parameters<typeof More>[0]['query']
}

/** List of a conversation's messages. The newest is at the bottom. */
export function Log({ id, viewer, peer, messages, unsent, query }: Props) {
  const t = useTexts(texts)
  const unread = messages.filter((message) => message.sender_id !== viewer.id && !message.is_read)
  const [unreadFrom, setUnreadFrom] = useState(unread[0]?.id)
  const rows = rowsOf(messages, unsent, unreadFrom)
  const last = rows.at(-1)
  const isAnswered = last?.message.sender_id === viewer.id
  const { box, isAtEnd, toEnd } = useKeptPlace({
    first: rows[0]?.key,
    last: last?.key,
    isLastOwn: isAnswered,
  })
  useReading({ id, viewer, unread, isAtEnd, isAnswered, setUnreadFrom })
  const lastRead = rows.findLast(
    ({ message }) => message.sender_id === viewer.id && message.is_read,
  )
  return (
    <div className={styles.around}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
      <div ref={box} className={styles.log} role="region" aria-label={t.log} tabIndex={0}>
        <div className={styles.content}>
          {query.hasNextPage ? <More query={query} /> : <Beginning isEmpty={rows.length === 0} />}
          {byDay(rows).map((day) => (
            <DayOf key={day.at} day={day} viewer={viewer} peer={peer} lastRead={lastRead?.key} />
          ))}
        </div>
      </div>
      {!isAtEnd && rows.length > 0 && (
        <button type="button" className={styles.toEnd} onClick={toEnd}>
          {unread.length > 0 ? t.newBelow(unread.length) : t.toEnd}
          <ArrowDown aria-hidden="true" />
        </button>
      )}
      <Arrivals messages={messages} viewer={viewer} peer={peer} />
    </div>
  )
}

interface Reading {
  id: string
  viewer: UserRef
  unread: Message[]
  isAtEnd: boolean
  /** True when the viewer sent the last message. */
  isAnswered: boolean
  setUnreadFrom: (id: string | undefined) => void
}

/**
 * Marks messages as read once they are visible. Stores the first unread one if it arrived while the page was
 * hidden or scrolled up.
 */
function useReading({ id, viewer, unread, isAtEnd, isAnswered, setUnreadFrom }: Reading): void {
  const queries = useQueryClient()
  const isVisible = useIsPageSeen()
  const isWatching = isVisible && isAtEnd
  const [first, last] = [unread[0]?.id, unread.at(-1)?.id]
  useEffect(() => {
    if (first && !isWatching) setUnreadFrom(first)
    else if (!first && isAnswered) setUnreadFrom(undefined)
  }, [first, isWatching, isAnswered, setUnreadFrom])
  useEffect(() => {
    // After a failure the messages remain unread, and the next attempt includes them.
    if (last && isWatching) markRead(queries, id, viewer.id).catch(() => undefined)
  }, [last, isWatching, queries, id, viewer.id])
}

interface DayProps {
  day: Day<Row>
  viewer: UserRef
  peer: UserRef | undefined
  /** Key of the last message that the other user has read. */
  lastRead: string | undefined
}

function DayOf({ day, viewer, peer, lastRead }: DayProps) {
  const t = useTexts(texts)
  return (
    <section>
      <h3 className={styles.day}>
        <DayName at={day.at} />
      </h3>
      <ol>
        {day.entries.map((row) => (
          <li key={row.key}>
            {row.isUnreadFrom && (
              <p className={styles.unread} data-unread>
                {t.newFrom}
              </p>
            )}
            <Bubble
              row={row}
              isOwn={row.message.sender_id === viewer.id}
              peer={peer}
              isLastRead={row.key === lastRead}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Beginning({ isEmpty }: { isEmpty: boolean }) {
  const t = useTexts(texts)
  return <p className={styles.beginning}>{isEmpty ? t.sayHello : t.beginning}</p>
}

/** Announces incoming messages to screen readers. */
function Arrivals({
  messages,
  viewer,
  peer,
}: {
  messages: Message[]
  viewer: UserRef
  peer: UserRef | undefined
}) {
  const t = useTexts(texts)
  const last = messages.at(-1)
  const [opened] = useState(last?.id ?? '')
  const isNew = last !== undefined && last.id > opened && last.sender_id !== viewer.id
  return (
    <p className="unseen" role="status">
      {isNew && t.arrived(peer?.display_name ?? '', last.body)}
    </p>
  )
}
