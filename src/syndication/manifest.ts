import { word } from '../head/titles.ts'
import { startOf, withoutBidi } from '../http/markup.ts'
import type { Language } from '../messages/language.ts'
import { ACCENT, CANVAS, type SiteSettings } from '../site-settings.ts'

/** Maximum characters of the name below an icon on a home screen. */
const SHORT_NAME_MAX = 12

/**
 * Returns the web app manifest (W3C), with which browsers install the site. `iconVersion` changes with the icons,
 * because browsers reload installed icons only when their URL changes.
 */
export function manifestJson(
  { name, description, accent }: Pick<SiteSettings, 'name' | 'description' | 'accent'>,
  language: Language,
  iconVersion: string,
): string {
  const icon = (file: string, size: number, purpose: string) => ({
    src: `/${file}?v=${iconVersion}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return JSON.stringify({
    id: '/',
    name: withoutBidi(name),
    short_name: startOf(withoutBidi(name), SHORT_NAME_MAX).trimEnd(),
    description: withoutBidi(description || word('site', language)),
    lang: language,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: CANVAS,
    theme_color: accent ?? ACCENT,
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('icon-maskable-512.png', 512, 'maskable'),
    ],
  })
}
