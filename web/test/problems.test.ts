import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlazaError } from '#sdk'
import { problemText } from '../src/ui/problemText.ts'

const words = {
  broken: '문제가 생겼어요.',
  offline: '연결되어 있지 않아요.',
  unreachable: '서버가 응답하지 않아요.',
  othersSession: '다른 계정으로 로그인되어 있어요.',
  unexpected: (status: number) => `알 수 없는 응답을 받았어요(${status}).`,
}
const failed = (code: string, message: string, status = 0) =>
  problemText(new PlazaError(code, message, { status }), words)

test('errors without a response show the client’s own message', () => {
  const english = 'The call did not do.'
  assert.ok([words.unreachable, words.offline].includes(failed('NETWORK', english)))
  assert.equal(failed('TIMEOUT', english), words.unreachable)
  assert.equal(failed('ABORTED', english), words.othersSession)
  assert.equal(failed('UNEXPECTED_ANSWER', english, 504), words.unexpected(504))
  for (const error of [new Error(english), new TypeError(english), english, null]) {
    assert.equal(problemText(error, words), words.broken)
  }
})

test('errors of the server show its message', () => {
  const said = '요청이 너무 많아요.'
  assert.equal(failed('RATE_LIMITED', said, 429), said)
  assert.equal(failed('SOME_LATER_CODE', said, 409), said)
  assert.equal(failed('SOME_LATER_CODE', '', 409), words.broken)
})
