/** Row types of the operator's site: settings, rules, pages, announcements and picks. */

export interface SiteTables {
  site: SiteRow
  site_rules: SiteRuleRow
  pages: PageRow
  announcements: AnnouncementRow
  announcement_reads: { announcement_id: string; user_id: string }
  picks: PickRow
}

/** The only row of `site`. Its lock orders all changes of settings, rules, pages and picks. */
export interface SiteRow {
  id: 1
  /** Increases with every change of settings or rules. */
  revision: number
  /** JSON of the settings that an admin has changed. */
  settings: string
  logo_upload_id: string | null
  logo_url: string | null
  last_backup_at: number | null
}

export interface SiteRuleRow {
  id: string
  /** Place in the list of rules, from 0. Null for a removed rule, which old decisions still show. */
  position: number | null
  /** JSON of `LocalText`. */
  text: string
  created_at: number
}

export interface PageRow {
  slug: string
  /** JSON of `LocalText`, like `body`. */
  title: string
  body: string
  revision: number
  created_at: number
  updated_at: number
}

export interface AnnouncementRow {
  id: string
  /** JSON of `LocalText`, like `body`. */
  title: string
  body: string
  /** Path of this site, or https URL. */
  link: string | null
  starts_at: number
  ends_at: number | null
  created_at: number
}

export interface PickRow {
  content_id: string
  /** Place in the list, from 0. */
  position: number
  note: string | null
  until: number | null
  created_at: number
}
