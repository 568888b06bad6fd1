/** Escaping of texts in HTML and XML. */

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Control characters, except tab and line breaks, and noncharacters. XML 1.0 forbids most of them. */
const CONTROLS = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu
const BIDI_CONTROLS = /\p{Bidi_Control}/gu

/** Escapes a text for HTML and XML: as content, and in quoted attributes. Removes control characters. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}

/** Escapes JSON for a script element, which otherwise ends at `</script` in a string. */
export function escapeScriptJson(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

/** Removes characters that change the direction of the text around a title. */
export function withoutBidi(text: string): string {
  return text.replace(BIDI_CONTROLS, '')
}

/**
 * Returns the start of a text as one line: without bidirectional controls, and with `…` when it is longer than
 * `max` code points.
 */
export function summaryOf(text: string, max: number): string {
  // Reads a few more UTF-16 units than needed, so that a long text is not copied.
  const line = withoutBidi(text.slice(0, max * 4))
    .replace(/\s+/g, ' ')
    .trim()
  const points = [...line]
  if (points.length <= max && text.length <= max * 4) return line
  return `${points.slice(0, max).join('').trimEnd()}…`
}
