import { exampleUser } from '../users/example.ts'

const account = {
  ...exampleUser,
  email: 'mina@example.com',
  bio: null,
  role: 'user',
  permissions: [],
  email_verified: true,
  pending_email: null,
  sign_in_alerts: true,
  created_at: '2026-11-21T08:12:45.120Z',
  storage: { used_bytes: 18_734_112, quota_bytes: 10_737_418_240 },
  dm_policy: 'everyone',
  deletion: null,
}
const tokens = {
  access_token: 'pla_01kazqjv2mc6s0h1y8ejdvq5pf000000kW3nq2wBfC4uH6tRjE9aLpKiGxM5Y0kq3l9mZ0d8S1v',
  refresh_token: 'plr_01kazqjv2mc6s0h1y8ejdvq5pf000000Xo7vT1cYhN8uQ2rWsZ4eKjLfGdP0mBaIx6V9tRyHw3u',
  token_type: 'Bearer',
  expires_in: 3600,
}
export const exampleSignedIn = { user: account, tokens }
