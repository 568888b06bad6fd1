import type { PageHead } from '../head/rules.ts'
import { successBody } from '../http/envelope.ts'
import { escapeMarkup, escapeScriptJson } from '../http/markup.ts'
import type { Language } from '../messages/language.ts'
import type { Client } from './client.ts'

interface Filling {
  pattern: string | undefined
  language: Language
  requestId: string
  now: number
}

/** Returns the client's page with its language and head, files to preload, and an embedded API response. */
export function fillPage(
  { page, pageFiles }: Client,
  { head, noscript, first, contentType }: PageHead,
  { pattern, language, requestId, now }: Filling,
): string {
  const files = pageFiles[`${pattern} ${contentType}`] ?? pageFiles[`${pattern}`] ?? []
  const data =
    first &&
    `<script type="application/json" id="plaza-data" data-url="${escapeMarkup(first.url)}" lang="${language}">${escapeScriptJson(successBody(first.data, requestId, now))}</script>`
  // The replacements are functions, because in a replacement string `$&` has a special meaning.
  return page.html
    .replace('<html lang="ko">', () => `<html lang="${language}">`)
    .replace(/<title>.*<\/title>/, () => [head, ...files.map(preloadTag)].join('\n    '))
    .replace('</body>', () => `  ${[noscript, ...(data ? [data] : [])].join('\n    ')}\n  </body>`)
}

function preloadTag(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${file}">`
    : `<link rel="modulepreload" crossorigin href="${file}">`
}
