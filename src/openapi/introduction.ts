import { JSON_LIMIT } from '../http/body.ts'

/** The groups of the reference, in order, and what each is about. */
export const TAGS: Record<string, string> = {
  System: 'Whether the server can serve.',
  Captcha: 'The proof of work that opens registration.',
  Accounts: 'Opening an account, signing in, sessions, and your own account.',
  Creators: 'The public profiles of people, their works and their followers.',
  Feeds: 'Lists of published works.',
  Uploads: 'Files that works and profiles are made of.',
  Contents: 'Works: creating, reading, changing and archiving them.',
  'Own lists': 'Your own works, likes and bookmarks.',
  Games: 'Games to play.',
  Social: 'Liking and bookmarking works, following creators.',
  Comments: 'Comments on works, and replies to them.',
  Posts: 'The community timeline, its threads and likes.',
  Notifications: 'What others did that concerns you.',
  'Direct messages': 'Conversations between two people.',
  'Developer console': 'Apps, and keys by which their programs call.',
  Webhooks: 'Addresses of yours that are told what happens to your works and profile.',
  'Legacy keys': 'Keys of a person, without an app and scopes.',
  Administration: 'Members, their roles and suspensions; administrators only.',
}

/** What a reader needs to know before the first call, in Markdown. */
export const INTRODUCTION = `
Plaza is a self-hostable platform where creators publish works and people meet around them.
Everything is below \`/api/v1\`, except \`/api/health\`, \`/api/wasm/contract\` and the files at
\`/uploads\`. Former addresses of games, \`/api/v1/games\` and below, answer 308 with the address below
\`/api/v1/jump/games\`. This reference is at \`/docs\`, the same as an OpenAPI document at \`/openapi.json\`.

## Signing in

\`POST /api/v1/auth/login\` gives an \`access_token\` and a \`refresh_token\`. Send the first with every
request as \`Authorization: Bearer <access_token>\`. Trade the second for new ones of both kinds at
\`POST /api/v1/auth/refresh\` before \`expires_in\` seconds are over, and on 401 \`UNAUTHORIZED\`. Where a
session is optional, an expired token is no error: it counts as none.

Programs without a person at the keyboard send an API key as \`X-API-Key\`, where an operation says that
it takes one; keys are made in the developer console. With a good token too, the token decides.

## Answers

Every JSON answer has one shape:

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

A field that this reference names is never missing: what is unknown is \`null\`, a list without entries
is \`[]\`, a flag without a session is \`false\`. Times are UTC. Ids are opaque texts with a prefix that
names their kind. Fields may be added: ignore those you do not know.

## Bodies

JSON in UTF-8, at most ${JSON_LIMIT / 1024} KiB. Text is trimmed and brought to Unicode NFC; lengths count code
points. Types are strict, fields that are not known are ignored.

## Errors

A failure has \`error\` in place of \`data\`:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "VALIDATION_ERROR",
    "message": "Some of the values sent are not valid.",
    "details": [{ "field": "body", "message": "This is required." }]
  },
  "meta": {
    "request_id": "req_01939f2c-6c1a-7c3e-9b52-4f0d8a6e7b11",
    "timestamp": "2026-11-21T08:12:45.120Z",
    "version": "v1"
  }
}
\`\`\`

Decide by \`error.code\`, which never changes; \`error.message\` is for people. Each operation lists its
own codes. Any address may answer these too, before an operation is chosen: 400 \`BAD_REQUEST\`, 404
\`ROUTE_NOT_FOUND\`, 405 \`METHOD_NOT_ALLOWED\` (with \`Allow\`), 408 \`REQUEST_TIMEOUT\`, 431
\`HEADERS_TOO_LARGE\`. Codes may be added.

## Lists

- Page-based lists take \`page\` and \`per_page\` and answer with \`pagination\`. A page past the end is
  empty and has the true total.
- Cursor-based lists take \`limit\` and \`before\` and answer with \`next_cursor\`: send it as \`before\`
  for the next page; it is \`null\` at the end.

An integer out of its range is clamped to it; what is no integer is 422. A known query field that is
empty, given twice or no UTF-8 is 422; an unknown one is ignored.

## Language

\`Accept-Language\` picks the language of messages: Korean (\`ko\`, the default) or English (\`en\`).
Codes and fields are the same in both.

## Safe retries

Send an \`Idempotency-Key\` of your own (1 to 255 visible characters) with a POST that needs a session or
an API key. The same request under the same key is done once: for 24 hours it gets the first answer
again, with \`Idempotent-Replayed: true\`. While the first is running the answer is 409
\`REQUEST_IN_PROGRESS\`; another request under the key is 422. An error leaves the key free. What is
shown only once, such as a raw API key, is \`null\` when it is replayed.

## Caching

Answers that do not depend on a session have an \`ETag\`: send it back in \`If-None-Match\` and an answer
that has not changed is 304, without a body. All others are \`private, no-store\`.

## Limits

The \`X-RateLimit-*\` headers are fixed placeholders. Where an operator enforces quotas, \`RateLimit\` and
\`RateLimit-Policy\` tell the real figures, and over them the answer is 429 \`RATE_LIMITED\` with
\`Retry-After\`. Signing in, registering and refreshing are guarded against guessing always.
`.trim()
