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

/** Returns the client's page with its language and head, files to preload, an opening and embedded API responses. */
export function fillPage(
  { page, pageFiles }: Client,
  { head, opening, noscript, first, contentType }: PageHead,
  { pattern, language, requestId, now }: Filling,
): string {
  const files = pageFiles[`${pattern} ${contentType}`] ?? pageFiles[`${pattern}`] ?? []
  const data = first.map((answer, index) => {
    const id = index === 0 ? 'plaza-data' : `plaza-data-${index + 1}`
    const body = escapeScriptJson(successBody(answer.data, requestId, now))
    return `<script type="application/json" id="${id}" data-url="${escapeMarkup(answer.url)}" lang="${language}">${body}</script>`
  })
  // The replacements are functions, because in a replacement string `$&` has a special meaning.
  return page.html
    .replace('<html lang="ko">', () => `<html lang="${language}">`)
    .replace(/<title>.*<\/title>/, () => [head, ...files.map(preloadTag)].join('\n    '))
    .replace('<div id="root">', (root) => root + opening)
    .replace('</body>', () => `  ${[noscript, ...data].join('\n    ')}\n  </body>`)
}

function preloadTag(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${file}">`
    : `<link rel="modulepreload" crossorigin href="${file}">`
}
