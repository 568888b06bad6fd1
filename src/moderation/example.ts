import { exampleUser, otherUser } from '../users/example.ts'

const subject = { kind: 'comment', id: 'cmt_01kazr0p5vfq1s9m7c2xw4hd3t' }
const madeAt = '2026-11-21T10:02:17.000Z'

export const exampleReport = {
  id: 'rpt_01kazr5k8v2f6h0q4n9x3wtb7c',
  subject,
  reason: 'spam',
  rule_id: null,
  note: 'Advertises in every comment.',
  status: 'open',
  created_at: '2026-11-21T09:40:00.000Z',
  decided_at: null,
}

const common = {
  id: 'dec_01kazr7w2rk9c5m3x8tq1vhd4e',
  subject,
  subject_user: otherUser,
  action: 'hide',
  reason: 'Advertising',
  rule: null,
  rating: null,
  since: null,
  affected_count: 1,
  status: 'in_effect',
  undone_at: null,
  created_at: madeAt,
  excerpt: 'Cheap followers at …',
}

export const exampleDecision = { ...common, decided_by: exampleUser, undone_by: null }

export const exampleAppeal = {
  id: 'apl_01kazr9d4t7y1b6g2k8m5xvq3w',
  decision_id: common.id,
  body: 'This was a quote from the video.',
  status: 'open',
  answer: null,
  created_at: '2026-11-21T11:20:45.000Z',
  answered_at: null,
}

export const exampleOwnDecision = {
  ...common,
  can_appeal: true,
  appeal: null,
}

export const exampleCase = {
  id: 'cas_01kazr5k8x9d3j7r1v6c4htm2b',
  subject,
  subject_user: otherUser,
  snapshot: { id: subject.id, body: 'Cheap followers at …' },
  report_count: 2,
  reasons: { spam: 2 },
  status: 'open',
  assignee: null,
  decision: null,
  opened_at: '2026-11-21T09:40:00.000Z',
  decided_at: null,
}
