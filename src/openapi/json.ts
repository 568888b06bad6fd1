import { type Html, html } from './html.ts'

/** Matches a JSON string (group 1). For a property name, also matches the colon after it (group 2). */
const STRING = /("(?:[^"\\]|\\.)*")(\s*:)?/

/** Renders JSON as a scrollable block that highlights property names and strings. */
export function jsonBlock(text: string): Html {
  const parts = text.split(STRING)
  const spans: Html[] = []
  for (let at = 0; at < parts.length; at += 3) {
    spans.push(html`${parts[at]}`)
    const [string, colon] = [parts[at + 1], parts[at + 2]]
    if (string === undefined) continue
    spans.push(
      colon === undefined
        ? html`<span class="text">${string}</span>`
        : html`<span class="name">${string}</span>${colon}`,
    )
  }
  return html`<pre tabindex="0"><code>${spans}</code></pre>`
}

export function jsonExample(value: unknown): Html {
  return jsonBlock(JSON.stringify(value, null, 2))
}
