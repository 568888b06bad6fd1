/** Writes the parts of a page that the server adds: the head, the opening and the `noscript` element. */
import { escapeMarkup, escapeScriptJson, startOf, summaryOf, withoutBidi } from '../http/markup.ts'
import type { Language } from '../messages/language.ts'
import type { PageFacts, Preload } from './facts.ts'

const DESCRIPTION_MAX = 200
/** Maximum code points of text in the opening. They fill a phone. */
const OPENING_MAX = 900
/** Matches a paragraph with Markdown, which the opening leaves out. */
const MARKUP = /^<p>\s*(?:[#|+-]|&gt;|\d+[.)])|[*_`[\]]/
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

/** Returns the attributes that tell a browser which version of the picture to load. */
function choiceOf({ sources, sizes }: Preload, prefix = ''): string {
  return sources === '' ? '' : ` ${prefix}srcset="${safe(sources)}" ${prefix}sizes="${safe(sizes)}"`
}

function preloadTags(preload: Preload | undefined): string[] {
  if (!preload) return []
  const choice = choiceOf(preload, 'image')
  return [
    `<link rel="preload" as="image" fetchpriority="high" href="${safe(preload.url)}"${choice}>`,
  ]
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

/**
 * Returns the start of the page, which phones show until the client's scripts have loaded: the first picture and the
 * title, or those of the first link. Empty for pages with neither a picture nor a text, and for veiled content.
 */
export function openingTag(facts: PageFacts): string {
  const { title, author, text, links, preload, type, contentType } = facts
  if (facts.isVeiled) return ''
  const paragraphs = paragraphsOf(startOf(text ?? '', OPENING_MAX)).filter(
    (part) => !MARKUP.test(part),
  )
  if (!preload && paragraphs.length === 0) return ''
  const picture = preload ? [pictureTag(preload)] : []
  const kind = contentType ?? (links ? 'list' : (type ?? ''))
  // The title of a post repeats its author and text.
  const heading = kind === 'post' ? [] : [links ? (links[0]?.title ?? '') : title]
  const words = [
    ...heading.map((line) => `<p class="title">${safe(line)}</p>`),
    ...(author ? [`<p>${safe(author.name)}</p>`] : []),
    ...paragraphs,
  ]
  const parts = type === 'profile' ? [...words, ...picture] : [...picture, ...words]
  return `<div class="opening" data-type="${kind}" aria-hidden="true">${parts.join('\n')}</div>`
}

function pictureTag(preload: Preload): string {
  const { url, shape, orientation } = preload
  const size = shape ? ` width="${shape.width}" height="${shape.height}"` : ''
  const picture = `<img src="${safe(url)}"${choiceOf(preload)}${size} alt="" fetchpriority="high">`
  // The picture of a game is in front of a blurred copy, as in the client.
  return orientation
    ? `<div class="stage" data-orientation="${safe(orientation)}">${picture}${picture}</div>`
    : picture
}

function paragraphsOf(text: string): string[] {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== '')
  return parts.map((part) => `<p>${safe(part).replaceAll('\n', '<br>')}</p>`)
}

export function noscriptTag({ title, author, text, links = [] }: PageFacts): string {
  const link = (path: string, name: string) => `<a href="${safe(path)}">${safe(name)}</a>`
  const parts = [
    `<h1>${safe(title)}</h1>`,
    ...(author ? [`<p>${link(author.path, author.name)}</p>`] : []),
    ...paragraphsOf(text ?? ''),
    ...(links.length > 0
      ? [
          `<ul>${links.map(({ path, title: name }) => `<li>${link(path, name)}</li>`).join('')}</ul>`,
        ]
      : []),
  ]
  return `<noscript>${parts.join('\n')}</noscript>`
}
