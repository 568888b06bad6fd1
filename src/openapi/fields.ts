/** Renders schemas as HTML tables with one row per field. Shared records are linked, not repeated. */
import { type Html, html, join } from './html.ts'
import { inline } from './markdown.ts'
import type { Parameter, Schema } from './types.ts'

interface Row {
  name: Html
  type: Html
  required: boolean | undefined
  meaning: Html | undefined
}

const RECORD = '#/components/schemas/'

export function recordAnchor(name: string): string {
  return `record-${name}`
}

/** Renders the fields of a request body. Marks required fields. */
export function inputTable(schema: Schema): Html {
  return table(rowsOf(schema, '', true), 'Field')
}

/** Renders the fields of a response, all of which are always present. */
export function answerTable(schema: Schema): Html {
  return table(rowsOf(schema, '', false), 'Field')
}

export function parameterTable(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(({ name, in: place, required, description, schema, example }) => ({
    name: html`<code>${name}</code> <small>${place}</small>`,
    type: typeAndLimits(place === 'path' ? { type: 'string' } : schema),
    required: required === true,
    meaning: html`${description !== undefined && inline(description)}${example !== undefined && html` <small>e.g.</small> <code>${String(example)}</code>`}`,
  }))
  return table(rows, 'Name')
}

function table(rows: Row[], first: string): Html {
  const isExplained = rows.some(({ meaning }) => meaning !== undefined && meaning.html !== '')
  return html`<div class="table" tabindex="0"><table class="fields">
<thead><tr><th scope="col">${first}</th><th scope="col">Type</th>${isExplained && html`<th scope="col">Meaning</th>`}</tr></thead>
<tbody>${rows.map(
    ({ name, type, required, meaning }) =>
      html`
<tr><th scope="row">${name}${required && html` <small class="required">required</small>`}</th><td>${type}</td>${isExplained && html`<td>${meaning}</td>`}</tr>`,
  )}
</tbody></table></div>`
}

/** Returns one row per field. Rows for the fields of a nested object are named `outer.inner`. */
function rowsOf(schema: Schema, prefix: string, isInput: boolean): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name
    const row = {
      name: html`<code>${path}</code>`,
      type: typeAndLimits(field),
      required: isInput ? (schema.required?.includes(name) ?? false) : undefined,
      meaning: field.description === undefined ? undefined : inline(field.description),
    }
    const inner = field.items ? rowsOf(field.items, `${path}[].`, isInput) : []
    return [row, ...rowsOf(field, `${path}.`, isInput), ...inner]
  })
}

function typeAndLimits(schema: Schema): Html {
  const limits = limitsOf(schema)
  return html`${typeOf(schema)}${limits.length > 0 && html`<br><small>${join(limits, ', ')}</small>`}`
}

function typeOf(schema: Schema): Html {
  if (schema.$ref) {
    const name = schema.$ref.slice(RECORD.length)
    return html`<a href="#${recordAnchor(name)}">${name}</a>`
  }
  if (schema.anyOf) return join(schema.anyOf.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) {
    return join(
      schema.enum.map((choice) => html`<code>${String(choice)}</code>`),
      ' or ',
    )
  }
  const types = [schema.type ?? 'any'].flat()
  return join(
    types.map((type) => {
      if (type === 'array' && schema.items) return html`list of ${typeOf(schema.items)}`
      if (type === 'string' && schema.format === 'date-time') return html`time`
      if (type === 'string' && schema.format === 'binary') return html`file`
      return html`${type}`
    }),
    ' or ',
  )
}

function limitsOf(schema: Schema): Html[] {
  const { items, pattern, default: usual, anyOf = [] } = schema
  const ranges = [
    rangeOf(schema.minLength, schema.maxLength, 'characters'),
    rangeOf(schema.minItems, schema.maxItems, 'entries'),
    rangeOf(items?.minLength, items?.maxLength, 'characters each'),
    rangeOf(schema.minimum, schema.maximum, ''),
  ]
  return [
    ...ranges.filter((range) => range !== undefined).map((range) => html`${range}`),
    ...(pattern === undefined ? [] : [html`form <code>${pattern}</code>`]),
    ...(usual === undefined ? [] : [html`default <code>${String(usual)}</code>`]),
    ...anyOf.flatMap(limitsOf),
  ]
}

function rangeOf(
  min: number | undefined,
  max: number | undefined,
  unit: string,
): string | undefined {
  const figure = (value: number) => value.toLocaleString('en')
  if (max === undefined) return min ? `at least ${figure(min)} ${unit}`.trim() : undefined
  if (min === undefined) return `at most ${figure(max)} ${unit}`.trim()
  return `${figure(min)} to ${figure(max)} ${unit}`.trim()
}
