import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Site } from '#sdk'
import { changeFace } from '../device/face.ts'
import { type Language, useLanguage } from '../language/look.ts'
import { plaza } from './plaza.ts'

/** Query of the public data of the site. Rules and page titles are in the given language. */
export function siteQuery(language: Language) {
  return queryOptions({
    queryKey: ['site', language],
    queryFn: async ({ signal }) => (await plaza.site.get({}, { signal })).site,
  })
}

export function announcementsQuery(language: Language) {
  return queryOptions({
    queryKey: ['site', 'announcements', language],
    queryFn: async ({ signal }) =>
      (await plaza.site.listAnnouncements({}, { signal })).announcements,
  })
}

/** Public settings, rules and pages of the site. Undefined while they load, or if loading failed. */
export function useSite(): Site | undefined {
  return useQuery(siteQuery(useLanguage())).data
}

/** Updates the name, logo and accent colour on the page when the site changes them. */
export function useSiteFace(): void {
  const site = useSite()
  useEffect(() => {
    if (site) changeFace(site)
  }, [site])
}
