const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Control characters except tab, LF and CR. Also U+FFFE and U+FFFF. XML 1.0 forbids most of them. */
const CONTROLS = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu
const BIDI_CONTROLS = /\p{Bidi_Control}/gu

/**
 * Escapes a text for HTML and XML: as content, and in quoted attributes. Removes control characters and
 * replaces lone surrogates.
 */
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

/** Removes bidirectional control characters, which could reorder the text around a title. */
export function withoutBidi(text: string): string {
  return text.replace(BIDI_CONTROLS, '')
}

/** Returns the first `max` code points of a text. */
export function startOf(text: string, max: number): string {
  return text.length <= max
    ? text
    : Array.from(text.slice(0, max * 2))
        .slice(0, max)
        .join('')
}

/**
 * Returns the start of a text as one line without bidirectional control characters. Cuts a text longer than
 * `max` code points and appends `…`.
 */
export function summaryOf(text: string, max: number): string {
  // A run of white space becomes one space, so the line may need more characters of the text than `max`.
  const part = startOf(text, max * 4)
  const line = withoutBidi(part).replace(/\s+/g, ' ').trim()
  const start = startOf(line, max)
  return start === line && part === text ? line : `${start.trimEnd()}…`
}
