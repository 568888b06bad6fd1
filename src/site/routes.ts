import { actOf } from '../audit/rules.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { DEFAULTS } from '../site-settings.ts'
import { COMMENT_MAX } from '../comments/schema.ts'
import { MESSAGE_MAX } from '../dm/schema.ts'
import { VERSION } from '../package.ts'
import {
  getSite,
  getSiteSettings,
  type SiteConfig,
  updateRules,
  updateSiteSettings,
} from './rules.ts'
import { AdminSite, RulesAnswer, RulesInput, SettingsInput, SiteAnswer } from './schema.ts'

const tag = 'Site'
const limits = { comment_length: COMMENT_MAX, message_length: MESSAGE_MAX }
const id = 'rul_01kahw2q7nf5x9r3d8y6b4c1zs'
const rules = [{ id, text: { ko: '서로 존중해 주세요.', en: 'Respect each other.' } }]
const adminSite = {
  settings: { ...DEFAULTS, logo_upload_id: null, logo_url: null },
  locked: ['registration'],
  rules,
  revision: 3,
}

export interface SiteDeps extends CoreDeps {
  config: SiteConfig
}

export function registerSite(api: Api<SiteDeps>): void {
  api.get('/site', {
    id: 'getSite',
    summary: "Read the site's name, rules, pages and limits",
    tag,
    auth: 'public',
    data: SiteAnswer,
    example: {
      site: {
        name: 'Plaza',
        description: '',
        logo_url: null,
        accent: null,
        contact: null,
        registration: 'open',
        adult_default: 'blur',
        setup_required: false,
        mail_configured: false,
        email_verification: 'off',
        rules: [{ id, text: '서로 존중해 주세요.' }],
        pages: [{ slug: 'terms', title: '이용약관' }],
        limits: { max_upload_bytes: 536_870_912, ...limits },
        version: VERSION,
      },
    },
    handler: ({ deps, db, language }) => getSite(db, deps.config, limits, language),
  })

  api.get('/admin/site', {
    id: 'getSiteSettings',
    summary: 'Read the settings and rules of the site',
    tag,
    auth: 'site',
    data: AdminSite,
    example: adminSite,
    handler: ({ deps, db }) => getSiteSettings(db, deps.config),
  })

  api.patch('/admin/site', {
    id: 'updateSiteSettings',
    summary: 'Change settings of the site',
    description:
      'A change holds on the next request, on every process. Settings in `locked` cannot be changed.',
    tag,
    auth: 'site',
    body: SettingsInput,
    data: AdminSite,
    errors: ['EDIT_CONFLICT'],
    example: adminSite,
    handler: ({ deps, db, viewer, body, now, requestId }) =>
      updateSiteSettings(db, deps.config, actOf(viewer, requestId), body, now),
  })

  api.put('/admin/site/rules', {
    id: 'updateRules',
    summary: 'Replace the rules of the site',
    description:
      'Rules keep the id that is sent with them. Removed rules stay readable in earlier reports and decisions.',
    tag,
    auth: 'site',
    body: RulesInput,
    data: RulesAnswer,
    errors: ['EDIT_CONFLICT'],
    example: { rules, revision: 4 },
    handler: ({ db, viewer, body, now, requestId }) =>
      updateRules(db, actOf(viewer, requestId), body, now),
  })
}
