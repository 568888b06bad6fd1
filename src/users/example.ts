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
