import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { dataOf, idsOf, makeContent, makePost, times } from '../../test/make.ts'
import { makeModerator } from '../../test/moderating.ts'

const app = await startApp({ RATE_LIMITS: 'off' })
const admin = await app.admin()
const moderator = await makeModerator(app, admin)
const author = await app.user()
const reporters = await times(3, () => app.user())

const REASONS = ['spam', 'abuse', 'other'] as const
const report = async (who: Actor, subject: Loose, reason: string) =>
  dataOf(await who.post('/reports', { subject, reason }), 201)

/** Asserts that every combination of filters lists exactly the matching cases, with the right total. */
async function assertFilters(): Promise<void> {
  const cases = await app.sql('select id, status, subject_kind, assignee_id from cases order by id')
  const reasons = await app.sql('select distinct case_id, reason from reports')
  for (const staff of [admin, moderator]) {
    for (const status of ['open', 'decided'])
      for (const kind of [undefined, 'content', 'post', 'message'])
        for (const reason of [undefined, ...REASONS, 'minors'])
          for (const assignee of [undefined, 'me', 'none']) {
            const expected = cases.filter(
              (row) =>
                row['status'] === status &&
                (kind === undefined || row['subject_kind'] === kind) &&
                (reason === undefined ||
                  reasons.some(
                    (own) => own['case_id'] === row['id'] && own['reason'] === reason,
                  )) &&
                (assignee === undefined ||
                  row['assignee_id'] === (assignee === 'me' ? staff.id : null)),
            )
            const given = Object.entries({ status, kind, reason, assignee }).filter(
              ([, value]) => value !== undefined,
            )
            const query = String(new URLSearchParams(given as [string, string][]))
            const page = dataOf(await staff.get(`/admin/cases?${query}&per_page=100`))
            assert.deepEqual(idsOf(page.cases), idsOf(expected as never), query)
            assert.equal(page.pagination.total, expected.length, query)
          }
  }
  const { open_cases: open } = dataOf(await admin.get('/admin/counts'))
  assert.equal(open, cases.filter((row) => row['status'] === 'open').length)
  assert.deepEqual(await app.drifted(), [])
}

test('counts the cases of every filter through reports, assignments and decisions', async () => {
  const subjects = [
    ...(await times(3, async () => ({ kind: 'content', id: (await makeContent(author)).id }))),
    ...(await times(3, async () => ({ kind: 'post', id: (await makePost(author)).id }))),
  ]
  await Promise.all(
    subjects.flatMap((subject, index) =>
      reporters.map((who, number) =>
        report(who, subject, REASONS[(index + (number % 2)) % 3] as string),
      ),
    ),
  )
  await assertFilters()
  const { cases } = dataOf(await admin.get('/admin/cases'))
  const assign = (who: Actor, index: number) => who.put(`/admin/cases/${cases[index].id}/assignee`)
  await Promise.all([
    assign(admin, 0),
    assign(moderator, 0),
    assign(moderator, 1),
    assign(admin, 2),
    assign(admin, 4),
  ])
  dataOf(await admin.delete(`/admin/cases/${cases[4].id}/assignee`))
  await assertFilters()
  for (const [index, action] of [
    [0, 'hide'],
    [3, 'warn'],
    [5, 'none'],
  ] as const) {
    const { id, subject } = cases[index]
    const body = { subject, action, reason: 'Seen', case_id: id }
    dataOf(await moderator.post('/admin/decisions', body), 201)
  }
  await report(reporters[0] as Actor, cases[3].subject, 'abuse')
  await assertFilters()
})
