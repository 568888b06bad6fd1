/**
 * Ownership rule of each route, applied after its auth mode:
 * - `anyone`: every caller that the auth mode admits.
 * - `owner`: only the owner of the resource. Others get the status that follows.
 * - `participants`: both users of a conversation.
 * - `others`: everyone except the owner.
 * `->` gives the status for permitted callers if it is not the declared one. `+` gives a valid request body
 * where one is needed.
 */
export const OWNERSHIP = `
GET /api/health anyone
POST /captcha/challenge anyone
POST /captcha/verify anyone -> 422 + {"payload":"x"}
POST /auth/register anyone -> 422 + {}
POST /auth/signup anyone -> 422 + {}
POST /auth/login anyone -> 422 + {}
POST /auth/refresh anyone -> 401 + {"refresh_token":"x"}
POST /auth/logout anyone
GET /auth/me anyone
PATCH /auth/me anyone + {"bio":null}
GET /auth/sessions anyone
DELETE /auth/sessions/:id owner 404
POST /auth/oauth/:provider anyone -> 501
GET /creators/:handle anyone
GET /creators/:handle/contents anyone
GET /creators/:handle/followers anyone
GET /creators/:handle/following anyone
POST /uploads anyone -> 415 + {}
POST /contents anyone + {"category":"hype","type":"image","title":"x"}
GET /contents/:id anyone
PATCH /contents/:id owner 403 + {"title":"x"}
DELETE /contents/:id owner 403
GET /contents/:id/conversion anyone
GET /contents/:id/recommendations anyone
GET /feeds anyone
GET /feeds/hype anyone
GET /feeds/swipe anyone
GET /feeds/jump anyone
GET /users/me/contents anyone
GET /users/me/authored anyone
GET /users/me/likes anyone
GET /users/me/liked anyone
GET /users/me/bookmarks anyone
GET /users/me/bookmarked anyone
GET /jump/games anyone
GET /jump/games/:id anyone
POST /jump/games/:id/play anyone + {"id":":id"}
POST /jump/games/:id/stream anyone + {"id":":id"}
POST /jump/games/:id/swf anyone + {"id":":id"}
GET /api/wasm/contract anyone
GET /contents/:id/thumbnail-job owner 403
POST /contents/:id/thumbnail-job owner 403
POST /contents/:id/like anyone
PUT /contents/:id/like anyone
DELETE /contents/:id/like anyone
POST /contents/:id/bookmark anyone
PUT /contents/:id/bookmark anyone
DELETE /contents/:id/bookmark anyone
POST /creators/:handle/follow others 409
PUT /creators/:handle/follow others 409
DELETE /creators/:handle/follow others 409
GET /contents/:id/comments anyone
POST /contents/:id/comments anyone + {"body":"x"}
PATCH /comments/:id owner 404 + {"body":"x"}
DELETE /comments/:id owner 404
GET /notifications anyone
GET /notifications/unread-count anyone
POST /notifications/read-all anyone
POST /notifications/:id/read owner 404
GET /dm/conversations anyone
POST /dm/conversations anyone + {"handle":":peer"}
GET /dm/conversations/:id/messages participants 404
POST /dm/conversations/:id/messages participants 404 + {"body":"x"}
POST /dm/conversations/:id/read participants 404
GET /feed anyone
GET /users/me/posts anyone
POST /posts anyone + {"body":"x"}
GET /posts/:id anyone
GET /posts/:id/thread anyone
POST /posts/:id/replies anyone + {"body":"x"}
POST /posts/:id/like anyone
DELETE /posts/:id/like anyone
DELETE /posts/:id owner 404
GET /devconsole/apps anyone
POST /devconsole/apps anyone + {"app_name":"x","app_type":"cli"}
GET /devconsole/apps/:app_id owner 404
PATCH /devconsole/apps/:app_id owner 404 + {"app_name":"x"}
DELETE /devconsole/apps/:app_id owner 404
GET /devconsole/apps/:app_id/keys owner 404
POST /devconsole/apps/:app_id/keys owner 404 + {"key_name":"x","environment":"live"}
DELETE /devconsole/keys/:key_id owner 404
POST /devconsole/keys/:key_id/rotate owner 404
GET /devconsole/scopes anyone
GET /devconsole/event-types anyone
GET /devconsole/apps/:app_id/webhooks owner 404
POST /devconsole/apps/:app_id/webhooks owner 404 + {"endpoint_url":"http://127.0.0.1:1/","events":["jump.play"]}
PATCH /devconsole/webhooks/:webhook_id owner 404 + {"events":["jump.play"]}
DELETE /devconsole/webhooks/:webhook_id owner 404
POST /devconsole/webhooks/:webhook_id/rotate-secret owner 404
POST /devconsole/webhooks/:webhook_id/test owner 404
GET /devconsole/webhooks/:webhook_id/deliveries owner 404
POST /devconsole/webhooks/:webhook_id/deliveries/:delivery_id/redeliver owner 404
GET /developer/keys anyone
POST /developer/keys anyone + {"key_name":"x"}
DELETE /developer/keys/:id owner 404
GET /admin/users anyone
GET /admin/users/:id anyone
PATCH /admin/users/:id anyone + {"role":"user"}
GET /admin/users/:id/audit anyone
`

export interface Ownership {
  who: 'anyone' | 'owner' | 'participants' | 'others'
  /** Status for callers without permission. */
  refusal: number
  /** Status for callers with permission; undefined for the declared one. */
  outcome: number | undefined
  /** JSON request body. `:name` in it stands for the path parameter of that name. */
  body: string | undefined
}

const LINE = /^(\S+ \S+) (anyone|owner|participants|others)(?: (\d+))?(?: -> (\d+))?(?: \+ (.+))?$/

/** Parses the table into rules by method and path without the version prefix. */
export function readOwnership(): Map<string, Ownership> {
  const rules = new Map<string, Ownership>()
  for (const line of OWNERSHIP.trim().split('\n')) {
    const [, title, who, refusal, outcome, body] = LINE.exec(line) ?? []
    if (!title || !who) throw new Error(`not a rule: ${line}`)
    rules.set(title, {
      who: who as Ownership['who'],
      refusal: Number(refusal ?? 0),
      outcome: outcome === undefined ? undefined : Number(outcome),
      body,
    })
  }
  return rules
}
