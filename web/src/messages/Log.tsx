import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Message, UserRef } from '#sdk'
import { useIsPageSeen } from '../device/viewing.ts'
import { byDay, type Day } from '../language/dates.ts'
import { useTexts } from '../language/texts.ts'
import { More } from '../lists/Entries.tsx'
import { DayName } from '../ui/Time.tsx'
import { Bubble } from './Bubble.tsx'
import styles from './Log.module.css'
import { type Row, rowsOf } from './messageRows.ts'
import type { Unsent } from './outbox.ts'
import { markRead } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  id: string
  viewer: UserRef
  peer: UserRef | undefined
  messages: Message[]
  unsent: Unsent[]
  query: Parameters<typeof More>[0]['query']
}

export function Log({ id, viewer, peer, messages, unsent, query }: Props) {
  const t = useTexts(texts)
  const unread = messages.filter((message) => message.sender_id !== viewer.id && !message.is_read)
  const [unreadFrom, setUnreadFrom] = useState(unread[0]?.id)
  const rows = rowsOf(messages, unsent, unreadFrom)
  const last = rows.at(-1)
  const isAnswered = last?.message.sender_id === viewer.id
  const { box, isAtEnd, toEnd } = useScrollPosition({
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
          {query.hasNextPage ? (
            <More query={query} />
          ) : (
            <p className={styles.beginning}>{rows.length === 0 ? t.sayHello : t.beginning}</p>
          )}
          {byDay(rows).map((day) => (
            <DayOf key={day.time} day={day} viewer={viewer} peer={peer} lastRead={lastRead?.key} />
          ))}
        </div>
      </div>
      {!isAtEnd && rows.length > 0 && (
        <button type="button" className={styles.toEnd} onClick={toEnd}>
          {unread.length > 0 ? t.newBelow(unread.length) : t.toEnd}
          <ArrowDown />
        </button>
      )}
      <Arrivals messages={messages} viewer={viewer} peer={peer} />
    </div>
  )
}

interface Reading extends Pick<Props, 'id' | 'viewer'> {
  unread: Message[]
  isAtEnd: boolean
  isAnswered: boolean
  setUnreadFrom: (id: string | undefined) => void
}

/**
 * Marks messages as read once they are visible. Until then, passes the id of the first unread message to
 * `setUnreadFrom`. When all messages are read and the viewer has answered, passes undefined.
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
    // Ignores a failure, because the next attempt includes the messages that are still unread.
    if (last && isWatching) markRead(queries, id, viewer.id).catch(() => undefined)
  }, [last, isWatching, queries, id, viewer.id])
}

interface DayProps extends Pick<Props, 'viewer' | 'peer'> {
  day: Day<Row>
  lastRead: string | undefined
}

function DayOf({ day, viewer, peer, lastRead }: DayProps) {
  const t = useTexts(texts)
  return (
    <section>
      <h3 className={styles.day}>
        <DayName time={day.time} />
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

function Arrivals({ messages, viewer, peer }: Pick<Props, 'messages' | 'viewer' | 'peer'>) {
  const t = useTexts(texts)
  const last = messages.at(-1)
  const [opened] = useState(last?.id ?? '')
  const isNew = last !== undefined && last.id > opened && last.sender_id !== viewer.id
  return (
    <p className="unseen" role="status">
      {isNew && !last.is_deleted && t.arrived(peer?.display_name ?? '', last.body)}
    </p>
  )
}

/** Maximum distance from the end of the log, in pixels, that counts as being at the end. */
const NEAR_PX = 80

interface Growing {
  /** Id of the first entry. It changes when older entries load. */
  first: string | undefined
  /** Id of the last entry. It changes when a message arrives or is sent. */
  last: string | undefined
  /** True when the viewer wrote the last entry. The log then scrolls to the entry. */
  isLastOwn: boolean
}

/**
 * Scrolls to `[data-unread]` at first, or else to the end. Later scrolls to a new entry if the end was visible or the
 * viewer wrote the entry. Keeps visible entries in place while older entries load.
 */
function useScrollPosition({ first, last, isLastOwn }: Growing) {
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef({ first, last, isPlaced: false, isAtEnd: true, fromEnd: 0 })
  const [isAtEnd, setIsAtEnd] = useState(false)
  const remember = useCallback(() => {
    const { current } = box
    if (!current) return
    const fromEnd = current.scrollHeight - current.scrollTop
    const isNear = fromEnd - current.clientHeight < NEAR_PX
    Object.assign(seen.current, { fromEnd, isAtEnd: isNear })
    setIsAtEnd(isNear)
  }, [])
  const toEnd = useCallback(() => {
    const { current } = box
    if (current) current.scrollTop = current.scrollHeight
    remember()
  }, [remember])

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const was = seen.current
    const hasGrownOwn = isLastOwn && was.last !== last
    if (!was.isPlaced) open(current)
    else if (was.isAtEnd || hasGrownOwn) current.scrollTop = current.scrollHeight
    else if (was.first !== first) current.scrollTop = current.scrollHeight - was.fromEnd
    Object.assign(was, { first, last, isPlaced: true })
    remember()
  }, [first, last, isLastOwn, remember])

  useEffect(() => {
    const { current } = box
    if (!current) return undefined
    const observer = new ResizeObserver(() => seen.current.isAtEnd && toEnd())
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    current.addEventListener('scroll', remember, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', remember)
    }
  }, [toEnd, remember])
  return { box, isAtEnd, toEnd }
}

function open(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight
  const mark = box.querySelector('[data-unread]')
  if (!mark) return
  const above = box.getBoundingClientRect().top - mark.getBoundingClientRect().top
  if (above > 0) box.scrollTop -= above + 16
}
