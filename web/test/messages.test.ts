import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '#sdk'
import { valuesOf } from '../../test/make.ts'
import {
  type MessagePages,
  messagesOf,
  rowsOf,
  withAllRead,
  withLatest,
  withMessages,
} from '../src/messages/messageRows.ts'
import type { Unsent } from '../src/messages/outbox.ts'

const NOON = Date.parse('2026-05-04T12:00:00.000Z')

/** Returns message number `n`, sent `n` minutes after noon. */
function message(n: number, more: Partial<Message> = {}): Message {
  return {
    id: `msg_${String(n).padStart(4, '0')}`,
    conversation_id: 'cnv_1',
    sender_id: 'usr_mina',
    body: `number ${n}`,
    is_deleted: false,
    hidden_by: null,
    is_read: false,
    client_message_id: null,
    created_at: new Date(NOON + n * 60_000).toISOString(),
    ...more,
  }
}

function range(from: number, to: number): Message[] {
  return Array.from({ length: to - from + 1 }, (_, index) => message(from + index))
}

function kept(...pages: Message[][]): MessagePages {
  return {
    pages: pages.map((messages) => ({ messages, next_cursor: messages[0]?.id ?? null })),
    pageParams: pages.map(() => undefined),
  }
}

const numbers = (pages: MessagePages) => messagesOf(pages).map(({ id }) => Number(id.slice(4)))

test('pages sorted newest first are merged oldest first', () => {
  assert.deepEqual(numbers(kept(range(5, 7), range(2, 4))), [2, 3, 4, 5, 6, 7])
})

test('a refetch adds new messages once and keeps older pages', () => {
  const before = kept(range(5, 7), range(2, 4))
  const after = withLatest(before, { messages: range(6, 9), next_cursor: 'msg_0006' })
  assert.deepEqual(numbers(after), [2, 3, 4, 5, 6, 7, 8, 9])
  assert.equal(after.pages.length, 2)
  assert.equal(after.pages[1]?.next_cursor, 'msg_0002')
  assert.deepEqual(numbers(before), [2, 3, 4, 5, 6, 7], 'the cached pages should not be mutated')
})

test('a gap between old and new messages drops the old pages', () => {
  const after = withLatest(kept(range(5, 7)), { messages: range(20, 22), next_cursor: 'msg_0020' })
  assert.deepEqual(numbers(after), [20, 21, 22])
  assert.equal(after.pages[0]?.next_cursor, 'msg_0020')
})

test('an outdated response removes no messages and marks none as unread', () => {
  const read = withAllRead(kept(range(1, 3)), 'usr_jun')
  const after = withLatest(read, { messages: range(1, 2), next_cursor: null })
  assert.deepEqual(numbers(after), [1, 2, 3])
  assert.ok(messagesOf(after).every(({ is_read }) => is_read))
})

test('reading marks received messages and not sent ones', () => {
  const pages = kept([message(1), message(2, { sender_id: 'usr_jun' })])
  const marks = messagesOf(withAllRead(pages, 'usr_jun')).map(({ is_read }) => is_read)
  assert.deepEqual(marks, [true, false])
})

test('the first message is added to an empty conversation', () => {
  assert.deepEqual(numbers(withMessages(kept([]), [message(1)])), [1])
})

const unsent: Unsent = {
  client_message_id: 'one',
  conversation_id: 'cnv_1',
  sender_id: 'usr_jun',
  body: 'on its way',
  created_at: new Date(NOON + 9 * 60_000).toISOString(),
  state: 'sending',
}

test('a message stays one row when the server accepts it', () => {
  const [before] = rowsOf([], [unsent], undefined)
  const taken = message(9, { sender_id: 'usr_jun', client_message_id: 'one' })
  const rows = rowsOf([taken], [unsent], undefined)
  assert.equal(rows.length, 1)
  assert.equal(rows[0]?.key, before?.key)
  assert.equal(rows[0]?.unsent, undefined)
})

test('messages of two senders with the same client id are two rows', () => {
  const rows = rowsOf([message(8, { client_message_id: 'one' })], [unsent], undefined)
  assert.equal(new Set(rows.map(({ key }) => key)).size, 2)
})

test('messages of one sender are grouped until the first unread one', () => {
  const jun = message(3, { sender_id: 'usr_jun' })
  const rows = rowsOf(
    [message(1), message(2), jun, message(4), message(20), message(21)],
    [],
    'msg_0021',
  )
  assert.deepEqual(
    rows.map(({ isFirst, isLast }) => `${isFirst ? '[' : ''}${isLast ? ']' : ''}`),
    ['[', ']', '[]', '[]', '[]', '[]'],
  )
  assert.deepEqual(valuesOf(rows, 'isUnreadFrom'), [false, false, false, false, false, true])
})
