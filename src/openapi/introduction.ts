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
  Search: 'Search by words, and suggestions while typing.',
  Tags: 'Lists of tags, tags that users follow, and tags that moderators hide.',
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
Plaza is a self-hostable platform where creators publish content and users meet around it. This reference is at
\`/docs\`, and as an OpenAPI document at \`/openapi.json\`.

## Signing in

\`POST /api/v1/auth/login\` returns an \`access_token\` and a \`refresh_token\`. Send
\`Authorization: Bearer <access_token>\` with every request. After \`expires_in\` seconds, or after a 401
\`UNAUTHORIZED\`, send the refresh token to \`POST /api/v1/auth/refresh\`, which returns a new pair. Where a
session is optional, an expired access token is ignored.

Programs without a user send an API key of the developer console as \`X-API-Key\`. Only operations that say so
accept keys. A valid access token takes precedence.

## Responses

Every JSON response has \`success\` and \`meta\`, and \`data\` or \`error\`. Documented fields are always present.
Unknown values are \`null\`, empty lists are \`[]\`, and flags about the caller are \`false\` without a session.
Times are in UTC. Ids are opaque strings whose prefix names their kind. Ignore fields you do not know, because later
versions may add some.

## Request bodies

Send JSON in UTF-8, at most ${JSON_LIMIT / 1024} KiB. Text is trimmed and normalized to Unicode NFC, and its
length is counted in code points. Values of the wrong type are rejected. Unknown fields are ignored.

## Errors

Make decisions by \`error.code\`, which never changes, and show \`error.message\` to users. Each operation lists its
own codes. Any request may also fail with 400 \`BAD_REQUEST\`, 404 \`ROUTE_NOT_FOUND\`, 405 \`METHOD_NOT_ALLOWED\`
(with \`Allow\`), 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`.

## Lists

- Page-based lists accept \`page\` and \`per_page\` and return \`pagination\`. A page past the end is empty.
- Cursor-based lists accept \`limit\` and \`before\`. Send \`next_cursor\` as \`before\` to get the next page. It is
  \`null\` on the last page.

Integers outside their range are clamped. A known query field that is not an integer, empty, repeated or not UTF-8
is 422. Unknown query fields are ignored.

## Language

\`Accept-Language\` selects the language of messages: Korean (\`ko\`, the default) or English (\`en\`).

## Safe retries

Add an \`Idempotency-Key\` header (1 to 255 visible characters) to a POST that requires a session or an API key.
Requests with the same key are performed once. For 24 hours, a repetition returns the first response, with
\`Idempotent-Replayed: true\`. While the first request is running, it gets 409 \`REQUEST_IN_PROGRESS\`, and a
different request with the same key gets 422. After an error, the key can be used again. Secrets shown only once are
\`null\` in a repeated response.

## Caching

Responses that do not depend on a session have an \`ETag\` for \`If-None-Match\`. All others are
\`private, no-store\`.

## Rate limits

The \`X-RateLimit-*\` headers are fixed placeholders. On servers that enforce quotas, \`RateLimit\` and
\`RateLimit-Policy\` contain the real values. Requests over the quota get 429 \`RATE_LIMITED\` with
\`Retry-After\`.
`.trim()
