import { createPlaza, type Plaza } from '#sdk'
import type { WoundClock } from './clock.ts'
import type { User } from './world.ts'

/** The password of all demo accounts. */
export const PASSWORD = 'demo-password-1'
/** A placeholder. Requests never leave the process. */
const URL = 'http://demo.localhost'

/** All demo users, each with an API client. */
export class Cast {
  /** A client without an account. */
  readonly anyone: Plaza
  readonly clock: WoundClock
  readonly #fetch: typeof fetch
  readonly #clients = new Map<User, Plaza>()
  /** Uploads by user and file. A user sends each file once, however many contents show it. */
  readonly #uploads = new Map<User, Map<Blob, Promise<string>>>()

  constructor(fetching: typeof fetch, clock: WoundClock) {
    this.#fetch = fetching
    this.clock = clock
    this.anyone = createPlaza({ url: URL, fetch: fetching })
  }

  /** Returns the client of a user who has an account. */
  as(user: User): Plaza {
    const plaza = this.#clients.get(user)
    if (!plaza) throw new Error(`${user.handle} has not come in yet`)
    return plaza
  }

  /** Creates the account of a user, or signs in if it exists. */
  async enter(person: User): Promise<Plaza> {
    const { handle, email, display_name, tongue: language } = person
    const plaza = createPlaza({ url: URL, fetch: this.#fetch, language })
    if (person.isAdmin) {
      const { user } = await plaza.signIn({ identifier: handle, password: PASSWORD })
      person.id = user.id
    } else {
      const captcha_token = await this.clock.inPresent(() => plaza.solveCaptcha())
      const account = { handle, email, password: PASSWORD, display_name }
      const { user } = await plaza.register({ ...account, captcha_token })
      person.id = user.id
    }
    this.#clients.set(person, plaza)
    return plaza
  }

  /** Uploads the file once per user and returns the id of the upload. */
  upload(user: User, file: Blob): Promise<string> {
    const own = this.#uploads.get(user) ?? new Map<Blob, Promise<string>>()
    this.#uploads.set(user, own)
    const sent =
      own.get(file) ??
      this.as(user)
        .upload(file)
        .then(({ id }) => id)
    own.set(file, sent)
    return sent
  }

  uploadAll(user: User, files: readonly Blob[]): Promise<string[]> {
    return Promise.all(files.map((file) => this.upload(user, file)))
  }

  /** Signs out every user at their last visit, so that no unused sessions stay open. */
  async leave(): Promise<void> {
    await Promise.all(
      [...this.#clients].map(([{ until }, plaza]) => this.clock.at(until, () => plaza.signOut())),
    )
  }

  /** Number of uploads. A file that two users uploaded counts twice. */
  get uploadCount(): number {
    return [...this.#uploads.values()].reduce((sum, { size }) => sum + size, 0)
  }
}
