import { exampleAccount } from '../users/example.ts'

const tokens = {
  access_token: 'pla_01kazqjv2mc6s0h1y8ejdvq5pf000000kW3nq2wBfC4uH6tRjE9aLpKiGxM5Y0kq3l9mZ0d8S1v',
  refresh_token: 'plr_01kazqjv2mc6s0h1y8ejdvq5pf000000Xo7vT1cYhN8uQ2rWsZ4eKjLfGdP0mBaIx6V9tRyHw3u',
  token_type: 'Bearer',
  expires_in: 3600,
}
export const exampleSignedIn = { user: exampleAccount, tokens }
