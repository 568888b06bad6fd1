/**
 * Calls every operation of openapi.json until it succeeds, and so creates data for later requests. The requests are the
 * documented examples, with values from earlier responses.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { formWith, FORM_TYPE } from '../../test/uploads.ts'
import { type Loose, PASSWORD } from '../../test/actors.ts'
import type { Description, Operation } from './document.ts'
import { FILES } from './files.ts'
import type { Requester } from './requester.ts'
import { Pick } from './pool.ts'
import { PREPARE } from './prepared.ts'
import { type ActorName, pathKind, type Step } from './steps.ts'

const TURNS = 12
const TURN_PAUSE_MS = 250
const ID = /^([a-z]{3})_[0-9a-z]{26}$/
/** Kinds of values to send instead of documented examples that the server would reject, by field. */
const PICKED: Record<string, string> = {
  captcha_token: 'fresh captcha_token',
  email: 'new email',
  endpoint_url: 'hook',
  handle: 'handle',
  id: 'same',
  identifier: 'handle',
  payload: 'fresh payload',
  refresh_token: 'refresh_token',
  up_to: 'ntf',
}

/**
 * Operations to call before each attempt of an operation that needs a new record. Their responses contain the ids,
 * revision and token that the attempt sends.
 */
const AFTER: Record<string, readonly string[]> = {
  answerAppeal: ['createComment', 'createDecision', 'createAppeal'],
  createAppeal: ['createComment', 'createDecision'],
  deleteAnnouncement: ['createAnnouncement'],
  deleteBan: ['createBan'],
  eraseContent: ['createContent', 'archiveContent'],
  getExportFile: ['createExport', 'listExports'],
  getOwnDecision: ['createComment', 'createDecision'],
  getPage: ['updatePage'],
  likeComment: ['createComment'],
  markAnnouncementRead: ['createAnnouncement'],
  pinComment: ['createContent', 'createComment'],
  revokeInvite: ['createInvite'],
  unlikeComment: ['createComment'],
  updateAnnouncement: ['createAnnouncement'],
  updateRules: ['getSiteSettings'],
  updateSiteSettings: ['getSiteSettings'],
}

/**
 * Operations that the tour cannot complete. They need an authenticator or an installation without administrators.
 * Generated requests call these operations nevertheless.
 */
export const UNREACHED: ReadonlySet<string> = new Set([
  'createFirstAdmin',
  'createPasskey',
  'removePasskey',
  'signInWithPasskey',
  'updatePasskey',
])

/**
 * Calls each operation until one of its calls succeeds, in at most TURNS turns. An operation may still fail, because
 * concurrent senders delete each other's site-wide records.
 */
export async function tour(requester: Requester, document: Description): Promise<void> {
  await seed(requester, document)
  let missing = inOrder(document.operations)
  for (let turn = 0; missing.length > 0 && turn < TURNS; turn++) {
    // Gives deliveries time to end: only an ended delivery can be sent again.
    if (turn > 0) await sleep(TURN_PAUSE_MS)
    const failed: Operation[] = []
    for (const operation of missing) {
      if (!(await succeeds(requester, document, operation, turn))) failed.push(operation)
    }
    missing = failed
    await requester.revive()
  }
}

async function seed(requester: Requester, { operations }: Description): Promise<void> {
  const call = async (id: string, body: NonNullable<Step['body']>): Promise<Loose> => {
    const operation = operations.find((each) => each.id === id)
    if (!operation) throw new Error(`openapi.json has no operation ${id}`)
    const { got } = await requester.take({ ...stepOf(operation, 'member', 0), body })
    if (got.status >= 400) throw new Error(`${id} returned ${got.status} ${got.text}`)
    return got.json.data
  }
  await requester.openKeys()
  for (const [kind, bytes] of Object.entries(FILES)) {
    const { upload } = await call('createUpload', { form: formWith(bytes), type: FORM_TYPE })
    if (kind === 'png') requester.pool.add('picture', upload.id, 'member')
    if (!['zip', 'wasm', 'swf'].includes(kind)) continue
    const game = { category: 'jump', type: 'game', title: 'A game', upload_ids: [upload.id] }
    const { content } = await call('createContent', { json: game })
    requester.pool.add('game', content.id, 'member')
  }
}

/**
 * Sorts deletions to the end, in reverse order, so that a child is deleted before its parent. Blocks and mutes
 * stop notifications that other operations need, so they come just before the deletions.
 */
function inOrder(operations: readonly Operation[]): Operation[] {
  const isDeletion = ({ method }: Operation) => method === 'DELETE'
  const isBlock = ({ id }: Operation) => id === 'blockCreator' || id === 'muteCreator'
  return [
    ...operations.filter((each) => !isDeletion(each) && !isBlock(each)),
    ...operations.filter(isBlock),
    ...operations.filter(isDeletion).toReversed(),
  ]
}

/**
 * Calls an operation as its likely callers and returns true when a call succeeded. `member` and `other` both call the
 * writing operations of signed-in users, so that they notify each other.
 */
async function succeeds(
  requester: Requester,
  { operations }: Description,
  operation: Operation,
  turn: number,
): Promise<boolean> {
  const earlier = (AFTER[operation.id] ?? []).map((id) => {
    const found = operations.find((each) => each.id === id)
    if (!found) throw new Error(`openapi.json has no operation ${id}`)
    return found
  })
  const actors: ActorName[] = operation.path.includes('/admin/')
    ? ['admin']
    : operation.isOpen
      ? ['anonymous', 'member']
      : ['member', 'other', 'admin']
  let isDone = false
  for (const [index, actor] of actors.entries()) {
    if (isDone && (operation.method === 'GET' || operation.isOpen || actor === 'admin')) break
    const known: Known = new Map()
    for (const before of earlier) {
      const isOfMember = actor === 'anonymous' || actor === 'admin'
      const by = before.path.includes('/admin/') ? 'admin' : isOfMember ? 'member' : actor
      const { got } = await requester.take(stepOf(before, by, turn + index, known))
      learn(known, got.json?.data)
    }
    const prepare = PREPARE[operation.id]
    const prepared = await prepare?.(requester.target, requester.newHandle())
    for (const [name, value] of Object.entries(prepared?.known ?? {})) known.set(name, value)
    const step = stepOf(operation, actor, turn + index, known)
    if (prepared?.user) step.headers = { authorization: `Bearer ${prepared.user.token}` }
    const { got } = await requester.take(step)
    if (got.status < 400 || got.status === 501) isDone = true
    else if (got.status === 401) await requester.revive()
  }
  return isDone
}

/** Values of the latest responses and of `PREPARE`: ids by their prefix, `revision`, `token` and `otp`. */
type Known = Map<string, unknown>

function learn(known: Known, value: Loose, field = ''): void {
  const prefix = typeof value === 'string' && ID.exec(value)?.[1]
  if (prefix) known.set(prefix, value)
  else if (field === 'revision') known.set(field, value)
  else if (field === 'url' && value) known.set('token', /[?]token=(.*)/.exec(value)?.[1])
  // Skips exports that are not ready.
  else if (typeof value === 'object' && value !== null && value.url !== null) {
    for (const [name, inner] of Object.entries(value)) learn(known, inner, name)
  }
}

/**
 * Returns the documented example as a request, with values from `known` and ids from the pool. If `n` is even, the pool
 * prefers ids that the caller created.
 */
function stepOf(operation: Operation, actor: ActorName, n: number, known: Known = new Map()): Step {
  const { example, parameters, takesFile } = operation
  const path = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => {
      const kind = pathKind(operation, name, schema)
      const text = known.get(kind)
      return [name, text ? { text, mayMissRoute: false } : new Pick(kind, n)]
    })
  const query = parameters
    .filter((parameter) => parameter.required && parameter.in === 'query')
    .map(({ name, schema }) => [name, (schema['examples'] as Loose)?.[0] ?? known.get(name) ?? ''])
  const body = takesFile
    ? { form: formWith(FILES['png'] as Buffer), type: FORM_TYPE }
    : example && { json: filled(example, n, known) }
  return {
    operation,
    actor,
    path: Object.fromEntries(path),
    query: Object.fromEntries(query),
    headers: {},
    ...(body && { body }),
  }
}

function filled(
  example: Record<string, unknown>,
  n: number,
  known: Known,
): Record<string, unknown> {
  const isNewUser = 'email' in example
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const kind = isNewUser && name === 'handle' ? 'new handle' : PICKED[name]
      if (kind) return [name, new Pick(kind, kind.startsWith('fresh') || kind === 'hook' ? 0 : n)]
      // Sends null instead of the times in the document, because these may be in the past.
      if (/^(?:expires_at|starts_at|ends_at|until)$/.test(name)) return [name, null]
      // Keeps registration open, because other requests register users.
      if (name === 'registration') return [name, 'open']
      if (/^(?:revision|token|otp)$/.test(name)) return [name, known.get(name) ?? value]
      const isPassword = name === 'current_password' || (name === 'password' && !isNewUser)
      return [name, isPassword ? PASSWORD : withIds(value, n, known)]
    }),
  )
}

/** Replaces the ids in an example with known ids of the same kind, or with placeholders for such ids. */
function withIds(value: unknown, n: number, known: Known): unknown {
  if (typeof value === 'string') {
    const kind = ID.exec(value)?.[1]
    return kind ? (known.get(kind) ?? new Pick(kind, n)) : value
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withIds(item, n, known)]),
  )
}
