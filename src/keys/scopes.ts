/** Scopes of app keys (docs/api.md, Apps and API keys). A write scope does not include the read scope. */
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

/** Serialises scopes for storage, without duplicates and in the order of SCOPES. */
export function scopesToJson(scopes: readonly Scope[]): string {
  return JSON.stringify(SCOPES.filter((scope) => scopes.includes(scope)))
}

export function scopesOf(json: string): Scope[] {
  return JSON.parse(json)
}
