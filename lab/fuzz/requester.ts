/** Sends generated requests from a fixed set of users. Later requests reuse values from earlier responses. */
import type { Actor } from '../../test/actors.ts'
import { solvedPayload } from '../../test/captcha.ts'
import { makeApp, makeKey, makeLegacyKey } from '../../test/make.ts'
import { type Got, type Sent, shown } from './client.ts'
import type { Description, Operation } from './document.ts'
import { faultOf } from './oracle.ts'
import { Pick, Pool, resolved } from './pool.ts'
import type { ActorName, Step } from './steps.ts'
import type { Target } from './target.ts'

export class Fault extends Error {
  override name = 'Fault'
}

export interface Outcome {
  sent: Sent
  got: Got
}

/** Sends a request and returns its response. May check the response, and throws a Fault when a check fails. */
export type Send = (sent: Sent, operation: Operation) => Promise<Got>

export type Alone = <T>(action: () => Promise<T>) => Promise<T>

export class Requester {
  readonly name: string
  readonly pool = new Pool()
  readonly target: Target
  readonly #document: Description
  readonly #send: Send
  readonly #alone: Alone
  readonly #users = new Map<ActorName, Actor>()
  readonly #headers = new Map<ActorName, Record<string, string>>([
    ['anonymous', {}],
    ['bad token', { authorization: 'Bearer pla_nothing' }],
  ])
  #made = 0

  constructor(
    name: string,
    target: Target,
    document: Description,
    { send, alone }: { send: Send; alone: Alone },
  ) {
    this.name = name
    this.target = target
    this.#document = document
    this.#send = send
    this.#alone = alone
  }

  async open(): Promise<void> {
    for (const name of ['member', 'other', 'admin', 'suspended'] as const) {
      const role = name === 'admin' ? 'admin' : 'user'
      const user = await this.target.user(role, `${name}_${this.name}`)
      this.#users.set(name, user)
      this.#headers.set(name, { authorization: `Bearer ${user.token}` })
      this.pool.add('usr', user.id, name)
      this.pool.add('handle', user.handle, name)
      this.pool.add('refresh_token', user.refreshToken, name)
    }
    await this.#reviveAll()
    this.pool.add('hook', this.target.hookUrl)
    this.pool.add('hook', 'http://127.0.0.1:1/refused')
    this.pool.add('tag', '바다')
    this.pool.add('slug', `page-${this.name}`)
  }

  openKeys(): Promise<void> {
    return this.#alone(() => this.#makeKeys())
  }

  async #makeKeys(): Promise<void> {
    const member = this.#user('member')
    const app = await makeApp(member, { scopes: ['contents:write', 'contents:read'] })
    const values = {
      'legacy key': await makeLegacyKey(member),
      'app key': await makeKey(member, app.id),
      'bare key': await makeKey(member, app.id, { scopes: [] }),
    }
    for (const [name, { raw_key }] of Object.entries(values)) {
      this.#headers.set(name as ActorName, { 'x-api-key': raw_key })
    }
  }

  /**
   * Restores the intended state of users that earlier requests suspended, reinstated or signed out, and replaces
   * invalid API keys.
   */
  revive(): Promise<void> {
    return this.#alone(() => this.#reviveAll())
  }

  async #reviveAll(): Promise<void> {
    for (const [name, user] of this.#users) {
      const { status } = await user.get('/auth/me')
      if ((name === 'suspended') === (status === 401)) continue
      const role = name === 'admin' ? 'admin' : 'user'
      await this.target.setMembership(user.id, role, name === 'suspended')
      if (name === 'suspended') continue
      const token = await this.target.session(user.id)
      this.#headers.set(name, { authorization: `Bearer ${token}` })
      this.#users.set(name, { ...user, ...this.target.caller(token), token })
    }
    if (this.#headers.has('bare key')) await this.#reviveKeys()
  }

  /** Replaces all API keys if one of them is rejected, for example because it was revoked. */
  async #reviveKeys(): Promise<void> {
    for (const name of ['legacy key', 'app key', 'bare key'] as const) {
      const headers = { ...this.#headers.get(name), 'content-type': 'application/json' }
      const asked = { method: 'POST', headers, body: '{}' }
      const { status } = await fetch(`${this.target.url}/api/v1/contents`, asked)
      if (status !== 401) continue
      // Continues with invalid keys when the user has reached the maximum number of keys.
      return this.#makeKeys().catch(() => {})
    }
  }

  async take(step: Step): Promise<Outcome> {
    const { sent, mayMissRoute } = await this.#toRequest(step)
    const { operation } = step
    const got = await this.#send(sent, operation).catch((error: unknown) => {
      if (error instanceof Fault) throw error
      throw new Fault(`${String(error)}\n\n${shown(sent)}`)
    })
    const asked = { operation, method: sent.method, mayMissRoute }
    const fault = faultOf(this.#document, asked, got)
    if (fault) {
      const { status, text } = got
      throw new Fault(
        `${operation.id}: ${fault}\n\n${shown(sent)}\n\n-> ${status} ${text.slice(0, 2000)}`,
      )
    }
    if (got.status < 300 && got.json?.data && operation.hasEnvelope) {
      this.pool.gather(got.json.data, step.actor, sent.method !== 'GET')
    }
    return { sent, got }
  }

  async #toRequest({ operation, actor, method, path, query, rawQuery, headers, body }: Step) {
    const params = new Map<string, string>()
    let mayMissRoute = false
    for (const [name, value] of Object.entries(path)) {
      if (value instanceof Pick) {
        const found = String(await this.#find(value, actor, params))
        params.set(name, name === 'path' ? found : encodeURIComponent(found))
      } else {
        params.set(name, value.text)
        mayMissRoute ||= value.mayMissRoute
      }
    }
    const find = (value: unknown) => this.#resolve(value, actor, params)
    const search = Object.entries((await find(query)) as Record<string, unknown>)
      .map(([name, value]) => `${name}=${encodeURIComponent(asText(value).toWellFormed())}`)
      .concat(rawQuery ?? [])
      .join('&')
    const line = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params.get(name) ?? '')
    const sent: Sent = {
      method: method ?? operation.method,
      path: (search ? `${line}?${search}` : line).slice(0, 12_000),
      headers: { ...this.#headers.get(actor) },
      body: undefined,
    }
    if (body) await setBody(sent, body, find)
    Object.assign(sent.headers, headers)
    return { sent, mayMissRoute }
  }

  async #resolve(value: unknown, actor: ActorName, params: Map<string, string>): Promise<unknown> {
    const found = new Map<Pick, unknown>()
    const picks: Pick[] = []
    resolved(value, (pick) => picks.push(pick))
    for (const pick of picks) found.set(pick, await this.#find(pick, actor, params))
    return resolved(value, (pick) => found.get(pick))
  }

  async #find(pick: Pick, actor: ActorName, params: Map<string, string>): Promise<unknown> {
    const { kind, n } = pick
    if (kind === 'same') return params.get('id') ?? 'cnt_x'
    if (kind === 'new handle') return this.newHandle()
    if (kind === 'new email') return `f${this.name}_${++this.#made}@example.test`
    if (kind.startsWith('fresh ')) {
      const what = kind.slice('fresh '.length)
      // Most steps reuse an earlier captcha solution, because solving a challenge costs CPU time.
      const isNew = n % 4 === 0 && this.#headers.get(actor) !== undefined
      if (isNew) return what === 'payload' ? this.solve() : this.captchaToken()
      return this.pool.find(new Pick(what, n), actor) ?? 'none'
    }
    return this.pool.find(pick, actor) ?? `${kind}_00000000000000000000000000`.slice(0, 30)
  }

  newHandle(): string {
    return `f${this.name}_${++this.#made}`
  }

  async solve(): Promise<string> {
    const payload = await solvedPayload(this.#user('member'))
    this.pool.add('payload', payload)
    return payload
  }

  async captchaToken(): Promise<string> {
    const payload = await this.solve()
    const { data } = await this.#user('member').post('/captcha/verify', { payload })
    this.pool.add('captcha_token', data.captcha_token)
    return data.captcha_token
  }

  #user(name: ActorName): Actor {
    const user = this.#users.get(name)
    if (!user) throw new Error(`no user for actor ${name}`)
    return user
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function setBody(
  sent: Sent,
  body: NonNullable<Step['body']>,
  find: (value: unknown) => Promise<unknown>,
): Promise<void> {
  if ('json' in body) {
    sent.headers['content-type'] = 'application/json'
    sent.body = JSON.stringify(await find(body.json)) ?? ''
  } else if ('form' in body) {
    sent.headers['content-type'] = body.type
    sent.body = body.form
  } else {
    if (body.type !== undefined) sent.headers['content-type'] = body.type
    sent.body = body.raw
  }
}
