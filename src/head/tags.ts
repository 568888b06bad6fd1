/** Writes the head of a page and its `noscript` element. */
import { escapeMarkup, escapeScriptJson, summaryOf, withoutBidi } from '../http/markup.ts'
import type { Language } from '../messages/language.ts'
import type { PageFacts } from './facts.ts'

const DESCRIPTION_MAX = 200
const LOCALES: Record<Language, string> = { ko: 'ko_KR', en: 'en_US' }

export interface HeadSite {
  name: string
  description: string
  /** Path of the picture of pages without a picture of their own. */
  pictureUrl: string
  iconVersion: string
  /** Address of the site, without a slash at the end. */
  base: string
}

/** Escapes a text for the head, and removes characters that change the writing direction. */
const safe = (text: string) => escapeMarkup(withoutBidi(text))

const meta = (name: string, content: string | number) =>
  `<meta name="${name}" content="${safe(String(content))}">`
const property = (name: string, content: string | number) =>
  `<meta property="${name}" content="${safe(String(content))}">`
const alternate = (type: string, href: string, title: string) =>
  `<link rel="alternate" type="${type}" href="${safe(href)}" title="${safe(title)}">`

export function isListed(facts: PageFacts, isSiteListed: boolean): boolean {
  return isSiteListed && facts.isIndexed !== false
}

export function headTags(
  facts: PageFacts,
  site: HeadSite,
  { language, isIndexed }: { language: Language; isIndexed: boolean },
): string {
  const { base } = site
  const url = base + facts.path
  const title = facts.path === '/' ? site.name : facts.title
  const description = summaryOf(facts.description || site.description, DESCRIPTION_MAX)
  const { picture = { url: site.pictureUrl, isLarge: false }, video, feed } = facts
  const lines = [
    `<title>${safe(`${facts.title} - ${site.name}`)}</title>`,
    meta('description', description),
    ...(isIndexed ? [] : [meta('robots', 'noindex')]),
    ...(facts.isAdult ? [meta('rating', 'adult')] : []),
    `<link rel="canonical" href="${safe(url)}">`,
    property('og:title', title),
    property('og:description', description),
    property('og:type', facts.type ?? 'website'),
    property('og:url', url),
    property('og:site_name', site.name),
    property('og:locale', LOCALES[language]),
    property('og:image', base + picture.url),
    ...videoTags(base, video),
    ...preloadTags(facts.preload),
    meta('twitter:card', picture.isLarge ? 'summary_large_image' : 'summary'),
    ...(feed ? [alternate('application/atom+xml', base + feed, facts.title)] : []),
    alternate('application/atom+xml', `${base}/feed.atom`, site.name),
    ...(facts.isEmbeddable ? oembedTags(base, url, facts.title) : []),
    `<link rel="icon" type="image/png" href="/icon-192.png?v=${site.iconVersion}">`,
    `<link rel="apple-touch-icon" href="/apple-touch-icon.png?v=${site.iconVersion}">`,
    `<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${safe(site.name)}">`,
    ...(facts.structured ? [structuredTag(facts.structured)] : []),
  ]
  return lines.join('\n    ')
}

function videoTags(base: string, video: PageFacts['video']): string[] {
  if (!video) return []
  const { url, width, height } = video
  return [
    property('og:video', base + url),
    property('og:video:type', 'video/mp4'),
    ...(width === null ? [] : [property('og:video:width', width)]),
    ...(height === null ? [] : [property('og:video:height', height)]),
  ]
}

function preloadTags(preload: PageFacts['preload']): string[] {
  if (!preload) return []
  const { url, sources, sizes } = preload
  const choice = sources === '' ? '' : ` imagesrcset="${safe(sources)}" imagesizes="${safe(sizes)}"`
  return [`<link rel="preload" as="image" fetchpriority="high" href="${safe(url)}"${choice}>`]
}

function oembedTags(base: string, url: string, title: string): string[] {
  const href = `${base}/oembed?url=${encodeURIComponent(url)}&format=`
  return [
    alternate('application/json+oembed', `${href}json`, title),
    alternate('text/xml+oembed', `${href}xml`, title),
  ]
}

function structuredTag(data: object): string {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data })
  return `<script type="application/ld+json">${escapeScriptJson(withoutBidi(json))}</script>`
}

export function noscriptTag({ title, author, text, links = [] }: PageFacts): string {
  const link = (path: string, name: string) => `<a href="${safe(path)}">${safe(name)}</a>`
  const paragraphs = (text ?? '').split(/\n\s*\n/).filter((part) => part.trim() !== '')
  const parts = [
    `<h1>${safe(title)}</h1>`,
    ...(author ? [`<p>${link(author.path, author.name)}</p>`] : []),
    ...paragraphs.map((part) => `<p>${safe(part).replaceAll('\n', '<br>')}</p>`),
    ...(links.length > 0
      ? [
          `<ul>${links.map(({ path, title: name }) => `<li>${link(path, name)}</li>`).join('')}</ul>`,
        ]
      : []),
  ]
  return `<noscript>${parts.join('\n')}</noscript>`
}
