import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ko } from './ko.ts'
import { message } from './language.ts'
import { objectParticle } from './particles.ts'

test('chooses the object particle by the last sound of the text', () => {
  const closed = [
    '밤의 강',
    '빈 교실',
    '만들기 1',
    '브이로그 #10',
    'Short film',
    'The game',
    'My cat!',
    '오늘은 말…',
  ]
  const open = [
    '낡은 카메라',
    '할머니 댁에서 보낸 하루?',
    '여행 2',
    'Day at night',
    'A boat',
    'The river',
    'Radio 9 (나)',
  ]
  for (const text of closed) assert.equal(objectParticle(text), '을', text)
  for (const text of open) assert.equal(objectParticle(text), '를', text)
})

test('returns both forms when the pronunciation is unknown', () => {
  for (const text of ['', '♥', '<river>', '東京'])
    assert.equal(objectParticle(text), '을(를)', text)
})

test('chooses the particle after a parameter, and leaves the text of the parameter unchanged', () => {
  const say = (title: string) =>
    message('ko', 'notification.like.content', { actor: '바다', title })
  assert.equal(say('밤의 강'), '바다님이 회원님의 작품 “밤의 강”을 좋아해요.')
  assert.equal(say('카메라'), '바다님이 회원님의 작품 “카메라”를 좋아해요.')
  assert.equal(
    say('{actor}을(를) 본 하루'),
    '바다님이 회원님의 작품 “{actor}을(를) 본 하루”를 좋아해요.',
  )
})

test('no message contains both forms of a particle, except after a parameter', () => {
  const left = Object.values(ko).filter((text) =>
    /[은는이가을를와과]\([은는이가을를와과]\)|\(으\)로/.test(text.replace(/\}”?을\(를\)/g, '')),
  )
  assert.deepEqual(left, [])
})
