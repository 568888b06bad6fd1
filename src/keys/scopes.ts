/** What keys of apps may be allowed (contract, section 3, App). Writing does not imply reading. */
export const SCOPES = [
  'contents:read',
  'contents:write',
  'jump:read',
  'jump:write',
  'posts:read',
  'profile:read',
  'webhooks:manage',
] as const

export type Scope = (typeof SCOPES)[number]

/** As they are stored: each once, in the order of the catalogue. */
export function scopesToJson(scopes: readonly Scope[]): string {
  return JSON.stringify(SCOPES.filter((scope) => scopes.includes(scope)))
}

export function scopesOf(json: string): Scope[] {
  return JSON.parse(json)
}
