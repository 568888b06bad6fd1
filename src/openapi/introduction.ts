import { JSON_LIMIT } from '../http/body.ts'

/** Tags in display order, with descriptions. Each tag is also a group of SDK methods. */
export const TAGS: Record<string, string> = {
  System: 'Health of the server.',
  Captcha: 'The proof of work that registration requires.',
  Sessions: 'Registration, signing in, and your sessions.',
  'Second factor': 'Authenticator apps, passkeys and recovery codes.',
  Me: 'Your account, and lists of your content, likes, bookmarks and posts.',
  Creators: 'Public profiles of creators, with their content and followers. Following creators.',
  Feeds: 'Lists of published content.',
  Uploads: 'Files for content and profiles.',
  Contents: 'Creating, reading, changing and archiving content. Likes and bookmarks.',
  Games: 'Listing and playing games.',
  Comments: 'Comments on content, and replies to comments.',
  Posts: 'The community timeline with its threads and likes.',
  Notifications: 'Actions of other users that concern you.',
  Conversations: 'Direct messages between two users.',
  Apps: 'Apps of the developer console.',
  Keys: 'API keys of an app.',
  Webhooks: 'URLs of yours that receive events about your content and profile.',
  'Legacy keys': 'API keys of a user, without an app or scopes.',
  Site: 'The name, settings and rules of the site.',
  Reports: 'Reports of abuse, and decisions of moderators about you.',
  Moderation: 'The desk of moderators: cases and decisions.',
  Registration: 'Invites, applications for accounts, and bans of mail domains and networks.',
  Users: 'Users, their roles and suspensions. For administrators only.',
}

export const INTRODUCTION = `
Plaza is a self-hostable platform where creators publish content and users meet around it. All paths begin
with \`/api/v1\`, except \`/api/health\`, \`/api/wasm/contract\` and the files at \`/uploads\`. Requests to the
former URLs of games at \`/api/v1/games\` are redirected (308) to \`/api/v1/jump/games\`. This reference is at
\`/docs\`, and as an OpenAPI document at \`/openapi.json\`.

## Signing in

\`POST /api/v1/auth/login\` returns an \`access_token\` and a \`refresh_token\`. Send the access token with every
request as \`Authorization: Bearer <access_token>\`. It expires after \`expires_in\` seconds. Before that, or
when a request returns 401 \`UNAUTHORIZED\`, send the refresh token to \`POST /api/v1/auth/refresh\`, which
returns a new pair. Where a session is optional, an expired access token is ignored.

Programs without a user can send an API key as \`X-API-Key\`. Only operations that say so accept keys. Create keys
in the developer console. When a request has both a valid access token and a key, the token is used.

## Responses

Every JSON response has the same structure:

\`\`\`json
{
  "success": true,
  "data": {},
  "meta": {
    "request_id": "req_01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11",
    "timestamp": "2026-11-21T08:12:45.120Z",
    "version": "v1"
  }
}
\`\`\`

Documented fields are always present. Unknown values are \`null\`, empty lists are \`[]\`, and flags about the
caller are \`false\` without a session. Times are in UTC. Ids are opaque strings whose prefix names their kind. Later
versions may add fields, so ignore fields you do not know.

## Request bodies

Send JSON in UTF-8, at most ${JSON_LIMIT / 1024} KiB. Text is trimmed and normalized to Unicode NFC, and its
length is counted in code points. Values of the wrong type are rejected. Unknown fields are ignored.

## Errors

An error response has \`error\` instead of \`data\`:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "VALIDATION_ERROR",
    "message": "Some fields are invalid. Fix them and try again.",
    "details": [{ "field": "body", "message": "This field is required." }]
  },
  "meta": {
    "request_id": "req_01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11",
    "timestamp": "2026-11-21T08:12:45.120Z",
    "version": "v1"
  }
}
\`\`\`

Make decisions by \`error.code\`, which never changes. Show \`error.message\` to users. Each operation lists its own
codes. Any request may also fail before it reaches an operation: with 400 \`BAD_REQUEST\`, 404
\`ROUTE_NOT_FOUND\`, 405 \`METHOD_NOT_ALLOWED\` (with \`Allow\`), 408 \`REQUEST_TIMEOUT\` or 431
\`HEADERS_TOO_LARGE\`. Later versions may add codes.

## Lists

- Page-based lists accept \`page\` and \`per_page\` and return \`pagination\`. A page past the end is empty and
  has the true total.
- Cursor-based lists accept \`limit\` and \`before\` and return \`next_cursor\`. Send it as \`before\` to get the
  next page. It is \`null\` on the last page.

Integers outside their range are clamped. The response is 422 for a value that is not an integer, and for a known
query field that is empty, repeated or not UTF-8. Unknown query fields are ignored.

## Language

\`Accept-Language\` selects the language of messages: Korean (\`ko\`, the default) or English (\`en\`). Codes and
fields are the same in both.

## Safe retries

Add an \`Idempotency-Key\` header (1 to 255 visible characters) to a POST that requires a session or an API key.
Requests with the same key are performed once. For 24 hours, repeating the request returns the first response, with
\`Idempotent-Replayed: true\`. While the first request is running, a repetition gets 409 \`REQUEST_IN_PROGRESS\`.
A different request with the same key gets 422. After an error, the key can be used again. Secrets shown only once,
such as a raw API key, are \`null\` in a replayed response.

## Caching

Responses that do not depend on a session have an \`ETag\`. Send it as \`If-None-Match\`, and you get 304 without a
body if nothing has changed. All other responses are \`private, no-store\`.

## Rate limits

The \`X-RateLimit-*\` headers are fixed placeholders. On servers that enforce quotas, \`RateLimit\` and
\`RateLimit-Policy\` contain the real values. Requests over the quota get 429 \`RATE_LIMITED\` with
\`Retry-After\`. Signing in, registering and refreshing are always limited, to prevent guessing.
`.trim()
