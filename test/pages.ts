import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { buildApp } from '../src/app.ts'
import { ROOT } from '../src/web/build.ts'
import { type Client, pathsFileOf, readClient } from '../src/web/client.ts'
import { Site } from '../src/web/site.ts'
import type { TestApp } from './app.ts'
import { temporaryFolder } from './files.ts'

/** Serves a web client on the database of `app` until the tests of this file end. Returns the server's address. */
export async function serveClient(
  app: TestApp,
  client: Promise<Client>,
  patienceMs?: number,
): Promise<string> {
  const { app: http } = buildApp(app.deps, new Site(client, patienceMs))
  await http.listen({ host: '127.0.0.1', port: 0 })
  after(() => http.close())
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
}

const EMPTY = `<!doctype html>
<html lang="ko">
  <head>
    <title>Plaza</title>
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`

/** Serves the paths of the real client with an empty page, which needs no build. */
export function servePages(app: TestApp): Promise<string> {
  const folder = join(temporaryFolder('plaza-pages-'), 'built')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), EMPTY)
  return serveClient(app, readClient(folder, pathsFileOf(ROOT)))
}

const UNESCAPED: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => UNESCAPED[entity] as string)
}

/** The parts of a page that tests read, with decoded entities in the values of the head. */
export interface ReadPage {
  status: number
  headers: Headers
  html: string
  language: string | undefined
  title: string | undefined
  canonical: string | undefined
  /** `content` of each meta tag by its `name` or `property`. */
  meta: Record<string, string>
  /** `href` of the first link of each kind, by `rel` and `type`, such as `alternate application/atom+xml`. */
  links: Record<string, string>
  // oxlint-disable-next-line typescript/no-explicit-any
  structured: any
  // oxlint-disable-next-line typescript/no-explicit-any
  first: { url: string; answer: any } | undefined
  /** Elements that phones show until the client's scripts have loaded. */
  opening: string
  noscript: string
}

/** Requests a page as a browser does, and returns the parts that tests read. */
export async function readPage(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<ReadPage> {
  const answer = await fetch(url + path, {
    headers: { accept: 'text/html', 'accept-language': 'en', ...headers },
  })
  const html = await answer.text()
  const inside = (pattern: RegExp) => pattern.exec(html)?.[1]
  const tags = (pattern: RegExp) => [...html.matchAll(pattern)].map((found) => found.slice(1))
  const meta = tags(/<meta (?:name|property)="([^"]*)" content="([^"]*)">/g)
  const links = tags(/<link rel="([^"]*)"(?: type="([^"]*)")? href="([^"]*)"/g)
  const structured = inside(/<script type="application\/ld\+json">(.*?)<\/script>/s)
  const data =
    /<script type="application\/json" id="plaza-data" data-url="([^"]*)"[^>]*>(.*?)<\/script>/s.exec(
      html,
    )
  assert.equal(html.match(/<noscript>/g)?.length ?? 0, answer.status === 304 ? 0 : 1)
  return {
    status: answer.status,
    headers: answer.headers,
    html,
    language: inside(/<html lang="(\w+)">/),
    title: unescape(inside(/<title>(.*?)<\/title>/s) ?? ''),
    canonical: unescape(inside(/<link rel="canonical" href="([^"]*)">/) ?? ''),
    meta: Object.fromEntries(meta.map(([name, value]) => [name, unescape(value ?? '')])),
    links: Object.fromEntries(
      links
        .toReversed()
        .map(([rel, type, href]) => [type ? `${rel} ${type}` : rel, unescape(href ?? '')]),
    ),
    structured: structured && JSON.parse(structured),
    first: data ? { url: unescape(data[1] ?? ''), answer: JSON.parse(data[2] ?? '') } : undefined,
    opening: inside(/<div class="opening"[^>]*>(.*?)<\/div>/s) ?? '',
    noscript: inside(/<noscript>(.*?)<\/noscript>/s) ?? '',
  }
}
