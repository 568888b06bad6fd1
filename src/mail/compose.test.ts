import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose } from './compose.ts'
import type { MailContent } from './kinds.ts'

const SITE = { name: 'Plaza', url: 'https://plaza.test' }
const LINK = 'https://plaza.test/reset-password#token=secret'
const AT = Date.UTC(2026, 10, 25, 9, 30)
const handle = 'mina'

const MAILS: Record<string, MailContent> = {
  verification: { kind: 'verification', params: { handle, ttl: 3600 } },
  password_reset: { kind: 'password_reset', params: { handle, ttl: 5400 } },
  password_changed: { kind: 'password_changed', params: { handle, keys: 2 } },
  email_changed: {
    kind: 'email_changed',
    params: { handle, email: 'new@example.test', ttl: 604_800 },
  },
  new_sign_in: {
    kind: 'new_sign_in',
    params: { handle, at: AT, agent: '<b>"Fox" & co</b>', ip: '203.0.113.7' },
  },
  ...Object.fromEntries(
    (
      [
        'totp_enabled',
        'totp_disabled',
        'passkey_added',
        'passkey_removed',
        'codes_replaced',
        'removed_by_operator',
        'removed_by_undo',
      ] as const
    ).map((change) => [change, { kind: 'second_factor_changed', params: { handle, change } }]),
  ),
  approved: {
    kind: 'application_decided',
    params: { handle, outcome: 'approved', reason: '' },
  },
  rejected: {
    kind: 'application_decided',
    params: { handle, outcome: 'rejected', reason: 'Sorry\n<script>' },
  },
  deletion_scheduled: { kind: 'deletion_scheduled', params: { handle, due: AT } },
  export_ready: { kind: 'export_ready', params: { handle, until: AT } },
}
const LINKED = ['verification', 'password_reset', 'email_changed']

const written = (mail: MailContent, language: 'ko' | 'en') =>
  compose(mail, language, SITE, LINKED.includes(mail.kind) ? LINK : undefined)

for (const [name, mail] of Object.entries(MAILS)) {
  test(`writes the mail ${name} in both languages`, () => {
    const [ko, en] = [written(mail, 'ko'), written(mail, 'en')]
    assert.match(ko.subject, /[가-힣]/)
    assert.doesNotMatch(en.text, /[가-힣]/)
    for (const { subject, text, html } of [ko, en]) {
      assert.ok(text.includes(handle) && html.includes(handle))
      for (const part of [subject, text, html])
        assert.doesNotMatch(part, /\{\w+\}|undefined|null|NaN/)
      for (const url of text.match(/https?:\S+/g) ?? []) {
        assert.ok(text.split('\n').includes(url), `${url} shares a line`)
      }
    }
    assert.ok(ko.html.startsWith('<!doctype html>\n<html lang="ko">'))
    assert.equal(en.text.includes(LINK), LINKED.includes(mail.kind))
    assert.equal(en.html.includes(`href="${LINK}"`), LINKED.includes(mail.kind))
  })
}

test('escapes what users wrote in HTML, and leaves the text as it is', () => {
  const signIn = written(MAILS['new_sign_in'] as MailContent, 'en')
  assert.ok(signIn.html.includes('&lt;b&gt;&quot;Fox&quot; &amp; co&lt;/b&gt;'))
  assert.ok(signIn.text.includes('<b>"Fox" & co</b>'))
  assert.ok(!written(MAILS['rejected'] as MailContent, 'en').html.includes('<script>'))
})

test('names durations and times in the language of the mail', () => {
  assert.match(written(MAILS['verification'] as MailContent, 'en').text, /for 1 hour\./)
  assert.match(written(MAILS['verification'] as MailContent, 'ko').text, /1시간 동안/)
  assert.match(written(MAILS['password_reset'] as MailContent, 'en').text, /for 90 minutes\./)
  assert.match(written(MAILS['email_changed'] as MailContent, 'ko').text, /7일 동안/)
  assert.match(
    written(MAILS['deletion_scheduled'] as MailContent, 'en').text,
    /on November 25, 2026 at 9:30.AM UTC\./,
  )
  assert.match(
    written(MAILS['export_ready'] as MailContent, 'ko').text,
    /2026년 11월 25일 오전 9:30 UTC까지/,
  )
})
