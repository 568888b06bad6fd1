import { escapeMarkup, startOf, withoutBidi } from '../http/markup.ts'

/** `User-agent` names in robots.txt of crawlers that collect texts and pictures to train models. */
const TRAINING_CRAWLERS = [
  'AI2Bot',
  'Amazonbot',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'Diffbot',
  'FacebookBot',
  'GPTBot',
  'Google-Extended',
  'ImagesiftBot',
  'Meta-ExternalAgent',
  'PanguBot',
  'Timpibot',
  'Webzio-Extended',
  'anthropic-ai',
  'cohere-training-data-crawler',
  'img2dataset',
  'omgili',
]

/** Returns the rules for crawlers (RFC 9309). Without a public URL, crawlers may read nothing. */
export function robotsText(publicUrl: string | undefined, aiCrawlers: 'allow' | 'deny'): string {
  if (publicUrl === undefined) return 'User-agent: *\nDisallow: /\n'
  const denied = aiCrawlers === 'deny' ? TRAINING_CRAWLERS : []
  return [
    'User-agent: *',
    'Disallow: /api/',
    '',
    ...(denied.length > 0
      ? [...denied.map((name) => `User-agent: ${name}`), 'Disallow: /', '']
      : []),
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** Maximum characters of the short name and of the description of a search engine (OpenSearch 1.1). */
const SHORT_NAME_MAX = 16
const DESCRIPTION_MAX = 1024

/** Returns the OpenSearch description, with which browsers can add the site as a search engine. */
export function openSearchXml({ base, name }: { base: string; name: string }): string {
  const text = (value: string, max: number) => escapeMarkup(startOf(withoutBidi(value), max))
  return `<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${text(name, SHORT_NAME_MAX)}</ShortName>
  <Description>${text(name, DESCRIPTION_MAX)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image height="16" width="16">${escapeMarkup(base)}/favicon.ico</Image>
  <Url type="text/html" method="get" template="${escapeMarkup(base)}/search?q={searchTerms}"/>
</OpenSearchDescription>
`
}
