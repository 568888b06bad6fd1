import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerAdmin } from './admin/routes.ts'
import { registerAnnouncements } from './announcements/routes.ts'
import { registerAudit } from './audit/routes.ts'
import { registerEmail } from './auth/email-routes.ts'
import { registerAuth } from './auth/routes.ts'
import { registerBlocks } from './blocks/routes.ts'
import { registerBookmarks } from './bookmarks/routes.ts'
import { registerBundles } from './bundles/routes.ts'
import { registerCaptcha } from './captcha/routes.ts'
import { registerCommentTools } from './comments/creator-routes.ts'
import { registerCommentLists } from './comments/list-routes.ts'
import { registerComments } from './comments/routes.ts'
import { registerContents } from './contents/routes.ts'
import { registerCreators } from './creators/routes.ts'
import type { Deps } from './deps.ts'
import { registerDevconsole } from './devconsole/routes.ts'
import { registerWebhooks } from './devconsole/webhook-routes.ts'
import { registerDeveloper } from './developer/routes.ts'
import { registerMessages } from './dm/message-routes.ts'
import { registerConversations } from './dm/routes.ts'
import { registerErasure } from './erasure/routes.ts'
import { registerFactors } from './factors/routes.ts'
import { registerExportFiles, registerExports } from './exports/routes.ts'
import { registerFeeds } from './feeds/routes.ts'
import { HiddenFiles } from './files/hidden.ts'
import { describePage } from './head/rules.ts'
import { registerFiles } from './files/routes.ts'
import { registerFollows } from './follows/routes.ts'
import { createHttp } from './http/app.ts'
import type { RouteRecord } from './http/declaration.ts'
import { Api, PREFIX } from './http/route.ts'
import { sendStrictTransport } from './http/strict-transport.ts'
import { registerLegacyGames } from './jump/legacy.ts'
import { registerJump } from './jump/routes.ts'
import { registerLikes } from './likes/routes.ts'
import { registerDesk } from './moderation/desk-routes.ts'
import { registerModeration } from './moderation/routes.ts'
import { registerNotifications } from './notifications/routes.ts'
import { registerReference } from './openapi/routes.ts'
import { registerOverview } from './overview/routes.ts'
import { registerPages } from './pages/routes.ts'
import { registerPicks } from './picks/routes.ts'
import { registerTags } from './tags/routes.ts'
import { registerPosts } from './posts/routes.ts'
import { registerRegistration } from './registration/routes.ts'
import { registerSearch } from './search/routes.ts'
import { registerSetup } from './setup/routes.ts'
import { registerSharing } from './sharing/routes.ts'
import { registerSite } from './site/routes.ts'
import { registerStats } from './stats/routes.ts'
import { registerSyndication } from './syndication/routes.ts'
import { registerSystem } from './system/routes.ts'
import { registerSecurity } from './system/security.ts'
import { registerSource } from './system/source.ts'
import { registerThumbnails } from './thumbnails/routes.ts'
import { registerUploads } from './uploads/routes.ts'
import { hasAdmin } from './users/managed.ts'
import type { Site } from './web/site.ts'

const FEATURES: readonly ((api: Api<Deps>) => void)[] = [
  registerSystem, //        /api/health
  registerSite, //          /site, /admin/site
  registerSetup, //         /setup
  registerPages, //         /pages/{slug}, /admin/pages
  registerAnnouncements, // /announcements, /admin/announcements
  registerTags, //          /tags, /admin/tags
  registerPicks, //         /picks, /admin/picks
  registerOverview, //      /admin/overview
  registerRegistration, //  /invites, /admin/applications, /admin/invites, /admin/bans
  registerCaptcha, //       /captcha
  registerAuth, //          /auth
  registerEmail, //         /auth/password-reset, /auth/email
  registerFactors, //       /auth/totp, /auth/passkeys, /auth/recovery-codes
  registerCreators, //      /creators/{handle}, their contents, followers and following
  registerUploads, //       /uploads
  registerContents, //      /contents/{id}, conversion
  registerErasure, //       /contents/{id}/erasure, /auth/me/deletion, /admin/users/{id}/erasure
  registerExports, //       /exports
  registerFeeds, //         /feeds, /users/me/contents|likes|bookmarks, recommendations
  registerSearch, //        /search, /search/suggest
  registerJump, //          /jump/games
  registerBundles, //       /api/wasm/contract
  registerThumbnails, //    /contents/{id}/thumbnail-job
  registerLikes, //         /contents/{id}/like, /contents/{id}/likers
  registerBookmarks, //     /contents/{id}/bookmark
  registerFollows, //       /creators/{handle}/follow
  registerStats, //         /stats, and below /contents
  registerBlocks, //        block and mute, below /creators; /blocks, /mutes
  registerComments, //      /contents/{id}/comments, /comments/{id}
  registerCommentLists, //  /contents/{id}/comments, /contents/{id}/comments/hidden
  registerCommentTools, //  /comments/{id}/hidden|like, /contents/{id}/pinned-comment
  registerNotifications, // /notifications
  registerConversations, // /dm/conversations, their messages, /dm/unread-count
  registerMessages, //      /dm/messages, sending below /dm/conversations
  registerPosts, //         /feed, /posts, /users/me/posts
  registerDevconsole, //    /devconsole/apps and their keys, /devconsole/keys, /devconsole/scopes
  registerWebhooks, //      webhooks of apps and their deliveries, /devconsole/event-types
  registerDeveloper, //     /developer/keys
  registerModeration, //    /reports, /decisions
  registerDesk, //          /admin/counts, /admin/cases, /admin/decisions
  registerAdmin, //         /admin/users
  registerAudit, //         /admin/audit
]

/**
 * Creates the server with the routes of all features, without listening. `site` serves the paths that match no
 * route. `routes` describes the registered API routes.
 */
export function buildApp(
  deps: Deps,
  site?: Site,
): { app: FastifyInstance; routes: readonly RouteRecord[] } {
  const { log, clock, config, corsOrigins, store, load, metrics, games } = deps
  const routes: RouteRecord[] = []
  const now = () => clock.now()
  const serveClient =
    site &&
    ((request: FastifyRequest, reply: FastifyReply, pass: () => void) =>
      site.answer(request, reply, {
        describe: (page) => describePage(deps, page),
        gamesOrigin: () => games.origin(request.host),
        now,
        pass,
      }))
  const app = createHttp({
    log,
    load,
    trustProxy: config.trustProxy,
    corsOrigins,
    defaultLanguage: config.defaultLanguage,
    now,
    answerOther: serveClient,
    isClosed: async (path) => path === `${PREFIX}/setup` && (await hasAdmin(deps.db)),
    onAnswered: metrics && ((answered) => metrics.countAnswer(answered)),
  })
  sendStrictTransport(app, config.publicUrl)
  const api = new Api(app, deps, routes)
  for (const register of FEATURES) register(api)
  registerLegacyGames(app, { corsOrigins, now })
  registerExportFiles(app, { db: deps.db, store, config, now })
  registerFiles(app, { db: deps.db, corsOrigins, store, hidden: new HiddenFiles(deps.db) })
  registerReference(app, { publicUrl: config.publicUrl, now })
  registerSource(app, { sourceUrl: config.sourceUrl, now })
  if (serveClient) {
    registerSecurity(app, deps)
    registerSharing(app, deps)
    registerSyndication(app, deps)
  }
  return { app, routes }
}
