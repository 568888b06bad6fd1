import { createPlaza, type Plaza } from '#sdk'
import type { WoundClock } from './clock.ts'
import type { Person } from './world.ts'

/** Everybody's. */
export const PASSWORD = 'demo-password-1'
/** No request leaves the process. */
const URL = 'http://demo.localhost'

/** Everybody who acts, each with a client of the API. */
export class Cast {
  /** Without an account. */
  readonly anyone: Plaza
  readonly clock: WoundClock
  readonly #fetch: typeof fetch
  readonly #clients = new Map<Person, Plaza>()
  /** What each has uploaded: a file is sent once, however many works show it. */
  readonly #uploads = new Map<Person, Map<Blob, Promise<string>>>()

  constructor(fetching: typeof fetch, clock: WoundClock) {
    this.#fetch = fetching
    this.clock = clock
    this.anyone = createPlaza({ url: URL, fetch: fetching })
  }

  /** The client of a person who has come in. */
  as(person: Person): Plaza {
    const plaza = this.#clients.get(person)
    if (!plaza) throw new Error(`${person.handle} has not come in yet`)
    return plaza
  }

  /** Opens the account of a person, or signs in who has one. */
  async enter(person: Person): Promise<Plaza> {
    const { handle, email, display_name, tongue: language } = person
    const plaza = createPlaza({ url: URL, fetch: this.#fetch, language })
    if (person.isAdmin) {
      const { user } = await plaza.login({ identifier: handle, password: PASSWORD })
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

  /** Gives the id of the person's upload of a file. */
  upload(person: Person, file: Blob): Promise<string> {
    const own = this.#uploads.get(person) ?? new Map<Blob, Promise<string>>()
    this.#uploads.set(person, own)
    const sent =
      own.get(file) ??
      this.as(person)
        .upload(file)
        .then(({ id }) => id)
    own.set(file, sent)
    return sent
  }

  uploadAll(person: Person, files: readonly Blob[]): Promise<string[]> {
    return Promise.all(files.map((file) => this.upload(person, file)))
  }

  /** Everybody signs out, at the end of the last visit: nobody holds these sessions any longer. */
  async leave(): Promise<void> {
    await Promise.all(
      [...this.#clients].map(([{ until }, plaza]) => this.clock.at(until, () => plaza.logout())),
    )
  }

  /** So many files that people have uploaded, each counted for each of them. */
  get uploadCount(): number {
    return [...this.#uploads.values()].reduce((sum, { size }) => sum + size, 0)
  }
}
