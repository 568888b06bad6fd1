import { exampleUser, otherUser } from '../users/example.ts'

export const exampleAuditEntry = {
  id: 'aud_01kahw2q7nf5x9r3d8y6b4c1zs',
  actor: exampleUser,
  action: 'suspended',
  target: { kind: 'user', id: otherUser.id },
  before: { role: 'user', is_suspended: false, suspension_reason: null },
  after: {
    role: 'user',
    is_suspended: true,
    suspension_reason: 'Repeated advertising in comments',
  },
  reason: 'Repeated advertising in comments',
  request_id: 'req_019aa3e1-52c4-7d0b-9d6e-8f1b0a2c3d4e',
  created_at: '2026-11-21T09:30:00.000Z',
}
