import { createPlaza, type Plaza } from '#sdk'
import type { WoundClock } from './clock.ts'
import type { User } from './world.ts'

export const PASSWORD = 'demo-password-1'
/** Base URL of the client. Requests are handled in this process and never reach a network. */
const URL = 'http://demo.localhost'

export class Cast {
  readonly anyone: Plaza
  readonly clock: WoundClock
  readonly #fetch: typeof fetch
  readonly #clients = new Map<User, Plaza>()
  /** Upload ids by user and file. A user uploads each file only once, even if several contents use it. */
  readonly #uploads = new Map<User, Map<Blob, Promise<string>>>()

  constructor(fetching: typeof fetch, clock: WoundClock) {
    this.#fetch = fetching
    this.clock = clock
    this.anyone = createPlaza({ url: URL, fetch: fetching })
  }

  as(user: User): Plaza {
    const plaza = this.#clients.get(user)
    if (!plaza) throw new Error(`${user.handle} has not come in yet`)
    return plaza
  }

  /** Registers the user and returns a client. An admin only signs in, because the account already exists. */
  async enter(user: User): Promise<Plaza> {
    const { handle, email, display_name, tongue: language } = user
    const plaza = createPlaza({ url: URL, fetch: this.#fetch, language })
    const enter = async () => {
      if (user.isAdmin) return plaza.signIn({ identifier: handle, password: PASSWORD })
      const captcha_token = await this.clock.inPresent(() => plaza.solveCaptcha())
      return plaza.register({ handle, email, password: PASSWORD, display_name, captcha_token })
    }
    const answer = await enter()
    if (!('user' in answer)) throw new Error('the site does not let users register')
    user.id = answer.user.id
    this.#clients.set(user, plaza)
    return plaza
  }

  upload(user: User, file: Blob): Promise<string> {
    const own = this.#uploads.get(user) ?? new Map<Blob, Promise<string>>()
    this.#uploads.set(user, own)
    const send = async () => (await this.as(user).upload(file)).id
    const sent = own.get(file) ?? send()
    own.set(file, sent)
    return sent
  }

  /** Signs out all users, each at the time of the last visit, so that no unused sessions remain. */
  async leave(): Promise<void> {
    await Promise.all(
      [...this.#clients].map(([{ until }, plaza]) =>
        this.clock.runAt(until, () => plaza.signOut()),
      ),
    )
  }

  get uploadCount(): number {
    return [...this.#uploads.values()].reduce((sum, { size }) => sum + size, 0)
  }
}
