/** Renders the API reference at /docs as one HTML page without scripts, from the OpenAPI document. */
import { answerTable, inputTable, parameterTable, recordAnchor } from './fields.ts'
import { type Html, html, join } from './html.ts'
import { jsonExample } from './json.ts'
import { headingsOf, inline, markdown } from './markdown.ts'
import type { Document, Operation, Parameter, Ref, Response } from './types.ts'

interface Entry {
  method: string
  path: string
  operation: Operation
}

export function renderPage(document: Document): string {
  const { info, servers, tags, components } = document
  const entries = entriesOf(document)
  const groups = tags.map((tag) => ({
    ...tag,
    anchor: `tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
    entries: entries.filter(({ operation }) => operation.tags[0] === tag.name),
  }))
  const records = Object.entries(components.schemas)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} reference</title>
<link rel="stylesheet" href="docs/style.css">
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
<header>
<p class="brand"><a href="#top">${info.title}</a> <small>${info.version}</small></p>
<p><a href="openapi.json">openapi.json</a></p>
<p>Server: <code>${servers[0]?.url ?? '/'}</code></p>
</header>
<nav aria-label="Reference">
<details>
<summary>Contents</summary>
${navigationGroup('Basics', 'top', headingsOf(info.description).map(guideLink))}
${groups.map(({ name, anchor, entries: list }) => navigationGroup(name, anchor, list.map(entryLink)))}
${navigationGroup('Records', 'records', records.map(recordLink))}
</details>
</nav>
<main id="reference">
<h1 id="top">${info.title}</h1>
${markdown(info.description)}
${groups.map(
  ({ name, anchor, description, entries: list }) => html`
<h2 id="${anchor}" class="group">${name}</h2>
<p class="lead">${inline(description)}</p>
${list.map((entry) => operationSection(document, entry))}`,
)}
<h2 id="records" class="group">Records</h2>
<p class="lead">Objects that several responses contain.</p>
${records.map(
  ([name, schema]) => html`
<section id="${recordAnchor(name)}">
<h3>${anchorLink(recordAnchor(name), html`${name}`)}</h3>
${schema.description !== undefined && html`<p>${inline(schema.description)}</p>`}
${schema.properties ? answerTable(schema) : html`<p class="codes">${codeList((schema.enum ?? []).toSorted())}</p>`}
</section>`,
)}
</main>
</body>
</html>
`.html
}

function entriesOf({ paths }: Document): Entry[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

function navigationGroup(name: string, anchor: string, links: Html[]): Html {
  return html`<p><a href="#${anchor}">${name}</a></p>
<ul>${links.map((link) => html`<li>${link}</li>`)}</ul>
`
}

function guideLink({ title, anchor }: { title: string; anchor: string }): Html {
  return html`<a href="#${anchor}">${title}</a>`
}

function entryLink({ method, operation }: Entry): Html {
  return html`<a href="#${operation.operationId}">${badge(method)} <span>${inline(operation.summary)}</span></a>`
}

function recordLink([name]: [string, unknown]): Html {
  return html`<a href="#${recordAnchor(name)}">${name}</a>`
}

function badge(method: string): Html {
  return html`<b class="method ${method.toLowerCase()}">${method}</b>`
}

function anchorLink(anchor: string, content: Html): Html {
  return html`<a class="anchor" href="#${anchor}">${content}</a>`
}

function codeList(values: readonly unknown[]): Html {
  return join(
    values.map((value) => html`<code>${String(value)}</code>`),
    ' ',
  )
}

function operationSection(document: Document, { method, path, operation }: Entry): Html {
  const { operationId: id, summary, description, deprecated } = operation
  const parameters = operation.parameters.map((parameter) => parameterIn(document, parameter))
  const own = parameters.filter((parameter) => parameter.in !== 'header')
  const headers = parameters.filter((parameter) => parameter.in === 'header')
  return html`
<section id="${id}">
<h3>${anchorLink(id, inline(summary))}</h3>
<p class="address">${badge(method)} <code>${pathWithBreaks(path)}</code></p>
<p class="who">${callersOf(operation)}${deprecated && html` <b class="deprecated">Deprecated</b>`}</p>
${description !== undefined && markdown(description)}
${own.length > 0 && html`<h4>Parameters</h4>${parameterTable(own)}`}
${bodyPart(operation)}
${answerPart(document, operation)}
${errorPart(document, operation)}
${headers.length > 0 && html`<p class="headers">Request headers: ${codeList(headers.map(({ name }) => name))}</p>`}
</section>`
}

/** Allows line breaks after each slash of a path. */
function pathWithBreaks(path: string): Html {
  return html`${path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)}`
}

function callersOf({ security }: Operation): string {
  const schemes = security.flatMap((choice) => Object.entries(choice))
  if (schemes.length === 0) return 'Anyone may call this.'
  if (security.some((choice) => Object.keys(choice).length === 0)) {
    return 'Anyone may call this; a session is optional.'
  }
  if (schemes.some(([, roles]) => roles.includes('admin'))) return 'Needs an administrator.'
  if (schemes.some(([name]) => name === 'apiKey')) return 'Needs a session or an API key.'
  return 'Needs a session.'
}

function parameterIn({ components }: Document, parameter: Parameter | Ref): Parameter {
  if (!('$ref' in parameter)) return parameter
  return components.parameters[nameIn(parameter)] as Parameter
}

function responseIn({ components }: Document, response: Response | Ref): Response {
  if (!('$ref' in response)) return response
  return components.responses[nameIn(response)] as Response
}

/** Returns the name of the referenced component. */
function nameIn({ $ref }: Ref): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

function bodyPart({ requestBody }: Operation): Html | false {
  if (!requestBody) return false
  const form = requestBody.content['multipart/form-data']
  if (form) {
    return html`<h4>Body</h4>
<p>A form, <code>multipart/form-data</code>.</p>
${inputTable(form.schema)}`
  }
  const content = requestBody.content['application/json']
  if (!content) return false
  return html`<h4>Body</h4>
${!requestBody.required && html`<p>The body is optional.</p>`}
${inputTable(content.schema)}
${jsonExample(content.example)}`
}

function answerPart(document: Document, { responses }: Operation): Html {
  const success = Object.entries(responses).find(([status]) => /^[23]/.test(status))
  if (!success) return html`<h4>Response</h4><p>Always an error.</p>`
  const [status, answer] = success
  const { content: bodies, description } = responseIn(document, answer)
  const content = bodies?.['application/json']
  if (!content) return html`<h4>Response</h4><p><code>${status}</code> ${inline(description)}</p>`
  const data = content.schema.properties?.['data'] ?? {}
  const record = data.$ref && document.components.schemas[nameIn(data as Ref)]
  return html`<h4>Response</h4>
<p><code>${status}</code> with this as <code>data</code>:</p>
${answerTable(record || data)}
${jsonExample(content.example)}`
}

function errorPart(document: Document, { responses }: Operation): Html | false {
  const rows = Object.entries(responses).flatMap(([status, response]) => {
    const examples = responseIn(document, response).content?.['application/json']?.examples
    return Object.keys(examples ?? {}).map(
      (code) => html`
<tr><td>${status}</td><th scope="row"><code>${code}</code></th><td>${messageOf(document, code)}</td></tr>`,
    )
  })
  if (rows.length === 0) return false
  return html`<h4>Errors</h4>
<div class="table" tabindex="0"><table class="errors">
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th></tr></thead>
<tbody>${rows}
</tbody></table></div>`
}

function messageOf({ components }: Document, code: string): string {
  const example = components.examples[code]?.value as { error: { message: string } } | undefined
  return example?.error.message ?? ''
}
