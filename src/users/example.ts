export const exampleUser = {
  id: 'usr_01kazqjv2gf8k9w3m5xrt7n4de',
  handle: 'mina',
  display_name: '미나',
  avatar_url: null,
}

export const otherUser = {
  id: 'usr_01kazqm4h7e0vr6tb2ydq9s5xw',
  handle: 'haneul',
  display_name: 'Haneul',
  avatar_url: null,
}
