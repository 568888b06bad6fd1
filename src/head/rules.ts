import { DatabaseUnavailable } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Language } from '../messages/language.ts'
import { findSite } from '../settings/queries.ts'
import { DEFAULTS, type Fixed, iconVersionOf, settingsOf } from '../site-settings.ts'
import { siteUrl, type SiteUrlSettings } from '../site-settings.ts'
import type { FirstAnswer, PageFacts } from './facts.ts'
import { readFacts } from './pages.ts'
import { type HeadSite, headTags, isListed, noscriptTag, openingTag } from './tags.ts'
import { word } from './titles.ts'

/** Picture of a page when neither the page has a picture nor the site a logo. */
const DEFAULT_PICTURE = '/icon-512.png'

export interface HeadDeps extends Pick<CoreDeps, 'db' | 'replica' | 'load'> {
  config: Fixed & SiteUrlSettings
}

/** A requested page. `pattern` is undefined for paths that no page has. */
export interface AskedPage {
  path: string
  pattern: string | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  language: Language
}

export interface PageHead {
  status: 200 | 404 | 503
  isIndexed: boolean
  head: string
  opening: string
  noscript: string
  first: FirstAnswer[]
  contentType?: string | undefined
}

/**
 * Returns the status and the head of a page for anonymous viewers. 404: the page or its subject does not exist
 * or is not public. 503: the database is unavailable.
 */
export function describePage(deps: HeadDeps, asked: AskedPage): Promise<PageHead> {
  return deps.load.hold(async () => {
    const base = siteUrl(deps.config)
    const { language, pattern } = asked
    let site: HeadSite = {
      name: { ...DEFAULTS, ...deps.config.fixedSettings }.name,
      description: word('site', language),
      pictureUrl: DEFAULT_PICTURE,
      iconVersion: iconVersionOf(null, null),
      base,
    }
    try {
      const row = await findSite(deps.db)
      const { name, description, accent, adult_default } = settingsOf(row, deps.config)
      site = {
        name,
        description: description || site.description,
        pictureUrl: row.logo_url ?? DEFAULT_PICTURE,
        iconVersion: iconVersionOf(row.logo_url, accent),
        base,
      }
      if (pattern === undefined) throw new ApiError('ROUTE_NOT_FOUND')
      const facts = await readFacts({
        ...asked,
        deps,
        base,
        site,
        adultDefault: adult_default,
        pattern,
      })
      return render(deps, site, facts, { status: 200, language })
    } catch (error) {
      const status = statusOf(error)
      const title = status === 404 ? word('notFound', language) : site.name
      const facts = { title, path: asked.path, isIndexed: false }
      return render(deps, site, facts, { status, language })
    }
  })
}

/**
 * Returns the status of a page that cannot be read. Throws the error if it is neither an ApiError nor a database
 * outage.
 */
function statusOf(error: unknown): 404 | 503 {
  if (error instanceof DatabaseUnavailable) return 503
  if (!(error instanceof ApiError)) throw error
  return error.code === 'SERVICE_UNAVAILABLE' ? 503 : 404
}

function render(
  { config }: HeadDeps,
  site: HeadSite,
  facts: PageFacts,
  { status, language }: { status: PageHead['status']; language: Language },
): PageHead {
  const isIndexed = isListed(facts, config.publicUrl !== undefined)
  return {
    status,
    isIndexed,
    head: headTags(facts, site, { language, isIndexed }),
    opening: openingTag(facts),
    noscript: noscriptTag(facts),
    first: facts.first ?? [],
    contentType: facts.contentType,
  }
}
