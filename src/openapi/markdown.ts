/**
 * Renders the Markdown subset that descriptions use: headings, paragraphs, lists, fenced code and code spans.
 */
import { type Html, html } from './html.ts'
import { jsonBlock } from './json.ts'

/** Renders each block as HTML. Blank lines separate blocks. `##` becomes a level 2 heading with an anchor. */
export function markdown(text: string): Html[] {
  return splitBlocks(text).map((block) => {
    if (block.startsWith('```')) return jsonBlock(block.replace(/^```.*\n|\n```$/g, ''))
    if (block.startsWith('## ')) return html`<h2 id="${anchorOf(block)}">${block.slice(3)}</h2>`
    if (block.startsWith('- ')) {
      const items = block.slice(2).split('\n- ')
      return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
    }
    return html`<p>${inline(block)}</p>`
  })
}

/** Returns the headings of a Markdown text with their anchors. */
export function headingsOf(text: string): { title: string; anchor: string }[] {
  return splitBlocks(text)
    .filter((block) => block.startsWith('## '))
    .map((block) => ({ title: block.slice(3), anchor: anchorOf(block) }))
}

/** Renders inline text with code spans. */
export function inline(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, at) => (at % 2 ? html`<code>${part}</code>` : html`${part}`))}`
}

function anchorOf(heading: string): string {
  return heading.slice(3).toLowerCase().replaceAll(' ', '-')
}

/** Splits a text at blank lines, except inside fenced code. */
function splitBlocks(text: string): string[] {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n{2,}/)))
    .map((block) => block.trim())
    .filter((block) => block !== '')
}
