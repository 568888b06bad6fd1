import type { Config } from './config-type.ts'

export type SiteUrlSettings = Pick<Config, 'publicUrl' | 'host' | 'port'>

/**
 * Returns the address of the site from the settings. Request headers are not used, because clients could forge
 * them.
 */
export function siteUrl({ publicUrl, host, port }: SiteUrlSettings): string {
  if (publicUrl) return publicUrl
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
