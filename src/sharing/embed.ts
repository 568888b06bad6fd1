/** The page that other sites embed in a frame. The page has no scripts and sets no cookies. */
import { createHash } from 'node:crypto'
import type { ContentDetailRecord } from '../contents/schema.ts'
import { escapeMarkup, startOf, withoutBidi } from '../http/markup.ts'
import type { Language } from '../messages/language.ts'
import { isAdult } from './rules.ts'

const TEXT_MAX = 5000
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif }
* { box-sizing: border-box }
body { margin: 0; height: 100dvh; display: flex; flex-direction: column; background: Canvas; color: CanvasText }
main { flex: 1; min-height: 0; position: relative; overflow: auto; display: flex; flex-direction: column; justify-content: safe center }
video, .pictures img { display: block; width: 100%; height: 100%; object-fit: contain; background: #000 }
.pictures { flex: 1; min-height: 0; display: flex; overflow-x: auto; scroll-snap-type: x mandatory }
.pictures img { flex: none; scroll-snap-align: center }
audio { width: 100%; padding: 8px }
.cover { flex: 1; min-height: 0; width: 100%; object-fit: cover }
.text { padding: 16px; overflow-wrap: anywhere }
.text h1 { font-size: 20px; margin: 0 }
.play { position: absolute; inset: auto 16px 16px; margin: auto; width: fit-content; padding: 10px 20px; border-radius: 999px; background: #2b59c3; color: #fff; text-decoration: none }
footer { flex: none; display: flex; gap: 8px; align-items: center; height: 44px; padding: 0 12px; font-size: 13px; white-space: nowrap }
footer a { color: inherit; overflow: hidden; text-overflow: ellipsis }
footer a:last-child { margin-inline-start: auto; opacity: 0.75 }
.veil { position: absolute; inset: 0; z-index: 1; display: grid; place-content: center; padding: 16px; text-align: center; color: #fff; background: #000a; cursor: pointer }
.veil input { position: absolute; opacity: 0 }
.veil:has(:focus-visible) { outline: 3px solid #fff; outline-offset: -6px }
.veil:has(:checked) { display: none }
.veil:has(:not(:checked)) + .veiled { filter: blur(40px); pointer-events: none; visibility: visible }
.veiled { flex: 1; min-height: 0; display: flex; flex-direction: column }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Security headers of the embed page. They let any site show the page in a frame. */
export const EMBED_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "img-src 'self'",
    "media-src 'self'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; '),
  // These two headers let cross-origin isolated pages show the frame.
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-robots-tag': 'noindex',
}

const WORDS = {
  ko: {
    play: (site: string) => `${site}에서 게임하기`,
    adult: '성인용 작품이에요. 보려면 누르세요.',
    missing: '이 작품은 볼 수 없어요.',
    nothing: '보여 줄 파일이 없어요.',
  },
  en: {
    play: (site: string) => `Play on ${site}`,
    adult: 'This is adult content. Click to show it.',
    missing: 'This content is not available.',
    nothing: 'There is no file to show.',
  },
}

const safe = (text: string) => escapeMarkup(withoutBidi(text))

interface EmbedSite {
  base: string
  name: string
}

export function embedPage(
  content: ContentDetailRecord,
  site: EmbedSite,
  language: Language,
): string {
  const { id, title, creator } = content
  const words = WORDS[language]
  const url = `${site.base}/contents/${id}`
  const link = (href: string, text: string) =>
    `<a href="${safe(href)}" target="_blank" rel="noopener">${safe(text)}</a>`
  const shown = bodyOf(content, words)
  const main = isAdult(content)
    ? `<label class="veil"><input type="checkbox">${words.adult}</label><div class="veiled">${shown}</div>`
    : shown
  const play =
    content.type === 'game'
      ? `<a class="play" href="${safe(url)}" target="_blank" rel="noopener">${safe(words.play(site.name))}</a>`
      : ''
  return pageOf(
    language,
    `${title} - ${site.name}`,
    `<main>${main}${play}</main>
<footer>${link(url, title)}${link(`${site.base}/creators/${creator.handle}`, creator.display_name)}${link(`${site.base}/`, site.name)}</footer>`,
  )
}

/** Returns the page for content that is missing or that other sites may not show. */
export function missingPage(site: EmbedSite, language: Language): string {
  const { missing } = WORDS[language]
  return pageOf(language, site.name, `<main><p class="text">${missing}</p></main>`)
}

function pageOf(language: Language, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${safe(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`
}

function bodyOf(content: ContentDetailRecord, { nothing }: { nothing: string }): string {
  const { type, title, description, body, media, thumbnail_url } = content
  const files = media.flatMap(({ url, mime_type }) => (url === null ? [] : [{ url, mime_type }]))
  const [file] = files
  const poster = thumbnail_url === null ? '' : ` poster="${safe(thumbnail_url)}"`
  const cover =
    thumbnail_url === null ? '' : `<img class="cover" src="${safe(thumbnail_url)}" alt="">`
  if (type === 'video' && file) {
    return `<video src="${safe(file.url)}" controls playsinline preload="metadata"${poster}></video>`
  }
  if (type === 'audio' && file) {
    return `${cover}<audio src="${safe(file.url)}" controls preload="metadata"></audio>`
  }
  const pictures = files.filter(({ mime_type }) => mime_type.startsWith('image/'))
  if (type === 'image' && pictures.length > 0) {
    const images = pictures.map(
      ({ url }, index) =>
        `<img src="${safe(url)}" alt="${safe(title)}"${index > 0 ? ' loading="lazy"' : ''}>`,
    )
    return `<div class="pictures">${images.join('')}</div>`
  }
  if (type === 'game' && cover) return cover
  const text = startOf(body ?? description ?? '', TEXT_MAX)
  const paragraphs = text.split(/\n\s*\n/).filter((part) => part.trim() !== '')
  const shown = paragraphs.length > 0 || type === 'game' ? paragraphs : [nothing]
  return `<article class="text"><h1>${safe(title)}</h1>${shown
    .map((part) => `<p>${safe(part).replaceAll('\n', '<br>')}</p>`)
    .join('')}</article>`
}
