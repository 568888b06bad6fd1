export const exampleUser = {
  id: 'usr_01kazqjv2gf8k9w3m5xrt7n4de',
  handle: 'mina',
  display_name: '미나',
  avatar_url: null,
  avatar_sizes: [],
}

export const otherUser = {
  id: 'usr_01kazqm4h7e0vr6tb2ydq9s5xw',
  handle: 'haneul',
  display_name: 'Haneul',
  avatar_url: null,
  avatar_sizes: [],
}

export const exampleAccount = {
  ...exampleUser,
  email: 'mina@example.com',
  bio: null,
  role: 'user',
  permissions: [],
  second_factor: { is_enabled: true, methods: ['passkey'], recovery_codes_left: 9 },
  email_verified: true,
  pending_email: null,
  sign_in_alerts: true,
  created_at: '2026-11-21T08:12:45.120Z',
  storage: { used_bytes: 18_734_112, quota_bytes: 10_737_418_240 },
  dm_policy: 'everyone',
  content_filter: { adult: 'blur', flashing: 'blur' },
  is_indexed: true,
  deletion: null,
}

const tokens = {
  access_token: 'pla_01kazqjv2mc6s0h1y8ejdvq5pf000000kW3nq2wBfC4uH6tRjE9aLpKiGxM5Y0kq3l9mZ0d8S1v',
  refresh_token: 'plr_01kazqjv2mc6s0h1y8ejdvq5pf000000Xo7vT1cYhN8uQ2rWsZ4eKjLfGdP0mBaIx6V9tRyHw3u',
  token_type: 'Bearer',
  expires_in: 3600,
}
export const exampleSignedIn = { user: exampleAccount, tokens }
