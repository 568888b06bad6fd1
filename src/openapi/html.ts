/** A fragment of HTML, already escaped. */
export interface Html {
  html: string
}

type Part = Html | readonly Html[] | string | number | false | null | undefined

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string)
}

/**
 * Template tag for HTML. Escapes all values except results of this function, and omits false, null and
 * undefined.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] as string
  for (const [at, part] of parts.entries()) text += toText(part) + strings[at + 1]
  return { html: text }
}

function toText(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (typeof part !== 'object') return escape(String(part))
  if ('html' in part) return part.html
  return part.map((item) => item.html).join('')
}

export function join(items: readonly Html[], separator: string): Html {
  return { html: items.map((item) => item.html).join(escape(separator)) }
}
