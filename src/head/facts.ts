/** Contents of the head of a page. */

/** `sources` and `sizes` are the attributes `srcset` and `sizes` of the picture's image. */
export interface Preload {
  url: string
  /** Empty without smaller versions. */
  sources: string
  sizes: string
  /** Size of a picture that is not cropped to 16:9. */
  shape?: { width: number; height: number }
  /** Orientation of a game, whose picture is not cropped either. */
  orientation?: string
}

export interface PageFacts {
  /** Name of the page or of its subject, without the name of the site. */
  title: string
  /** Default: the site's description. */
  description?: string | null
  /** Path of the page, encoded, without the query. */
  path: string
  /** `og:type`. Default: `website`. */
  type?: 'article' | 'music.song' | 'profile' | 'video.other'
  /** Picture of link previews. Its URL is a path on this server. Default: the picture of the site. */
  picture?: { url: string; isLarge: boolean } | undefined
  /** Picture that the page shows first. */
  preload?: Preload | undefined
  video?: { url: string; width: number | null; height: number | null } | undefined
  /** Path of the page's own Atom feed. */
  feed?: string
  isAdult?: boolean
  /** True for content that an anonymous viewer sees only after agreeing. */
  isVeiled?: boolean
  /** True for content with an oEmbed response. */
  isEmbeddable?: boolean
  /** False for pages that search engines must leave out. Default: true. */
  isIndexed?: boolean
  /** Type of the page's content item, or `post`. */
  contentType?: string
  /** JSON-LD without `@context`. */
  structured?: object
  // The next three fields are for crawlers and browsers without scripts.
  author?: { name: string; path: string }
  text?: string | null
  links?: { title: string; path: string }[]
  /** API responses that the client would request first, in order. */
  first?: FirstAnswer[]
}

export interface FirstAnswer {
  /** Path and query, spelled exactly as in the client's request. */
  url: string
  /** Field `data` of the response to an anonymous request, as JSON. */
  data: string
}
