/**
 * Sends queued mails over SMTP. When a process is killed, another process sends its mails after their leases
 * expire. A mail that is sent twice has the same Message-ID both times.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { type Db, DatabaseUnreachable, type Tx } from '../db/handle.ts'
import type { MailRow } from '../db/mail-tables.ts'
import { findSite } from '../settings/queries.ts'
import { type Fixed, settingsOf } from '../site-settings.ts'
import { SteadyClock } from '../steady-clock.ts'
import { compose } from './compose.ts'
import type { MailContent } from './kinds.ts'
import { claimMail, endMail, type HeldMail, listDueMails, postponeMail } from './queries.ts'
import { siteUrl } from '../site-settings.ts'
import { MAIL_QUEUED, type MailSettings, unsealOf } from './rules.ts'
import { Smtp } from './transport.ts'

/** Milliseconds between searches for retries and expired leases. */
const POLL_MS = 1000
const PARALLEL = 5
const ATTEMPT_MS = 60_000
/** Milliseconds for which a process leases a mail. Must exceed ATTEMPT_MS. */
const LEASE_MS = 90_000
/** Milliseconds that attempts in progress have to end when the server shuts down. */
const GRACE_MS = 4000
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000
/** Maximum milliseconds from queueing a mail to the last attempt to send it. */
const RETRIED_MS = 24 * 3_600_000

type Claimed = MailRow & HeldMail
/**
 * Looks up the account of a password reset and completes its mail. Deletes the mail and returns undefined
 * when it must not be sent.
 */
export type Resolve = (tx: Tx, mail: Claimed, now: number) => Promise<MailRow | undefined>

export class MailSender {
  readonly #db: Db
  readonly #clock: Clock
  readonly #steady: SteadyClock
  readonly #settings: MailSettings & Fixed
  readonly #log: Logger
  readonly #resolve: Resolve
  readonly #smtp: Smtp | undefined
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  readonly #onQueued = () => this.wake()
  #timer: NodeJS.Timeout | undefined
  #sending = 0
  #isLooking = false
  #lookAgain = false
  #isClosing = false

  constructor(db: Db, clock: Clock, settings: MailSettings & Fixed, log: Logger, resolve: Resolve) {
    this.#db = db
    this.#clock = clock
    this.#steady = new SteadyClock(clock.now(), () => clock.monotonic())
    this.#settings = settings
    this.#log = log
    this.#resolve = resolve
    const { smtpUrl, mailFrom } = settings
    this.#smtp =
      smtpUrl === undefined || mailFrom === undefined ? undefined : new Smtp(smtpUrl, mailFrom)
  }

  /** Starts to send mails. Does nothing when no mail server is configured. */
  start(): void {
    if (!this.#smtp) return
    this.#db.signals.on(MAIL_QUEUED, this.#onQueued)
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref()
    this.wake()
  }

  /** Searches for due mails and sends them. */
  wake(): void {
    this.#steady.isTrusted(this.#clock.now())
    this.#lookAgain = true
    if (!this.#smtp || this.#isLooking || this.#isClosing) return
    this.#isLooking = true
    this.#track(this.#look(this.#smtp))
  }

  /** Waits up to GRACE_MS for attempts in progress, then aborts the rest and returns their mails to the outbox. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    this.#db.signals.off(MAIL_QUEUED, this.#onQueued)
    const ended = this.#ended()
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })])
    this.#stop.abort()
    await ended
  }

  async #ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #track(running: Promise<void>): void {
    const tracked = running
      .catch((error: unknown) => {
        if (this.#isClosing || error instanceof DatabaseUnreachable) return
        this.#log.warn({ err: error }, 'mail: internal error')
      })
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
  }

  async #look(smtp: Smtp): Promise<void> {
    try {
      while (this.#lookAgain && !this.#isClosing) {
        this.#lookAgain = false
        const room = PARALLEL - this.#sending
        if (room === 0) return
        for (const id of await listDueMails(this.#db, this.#clock.now(), room)) {
          const mail = await this.#claim(id)
          if (mail) this.#track(this.#inSlot(() => this.#send(smtp, mail)))
        }
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #claim(id: string): Promise<Claimed | undefined> {
    const now = this.#clock.now()
    const lease = randomUUID()
    const until = now + LEASE_MS
    const mail = await this.#db.transaction((tx) => claimMail(tx, { id, now, lease, until }))
    return mail && { ...mail, lease }
  }

  async #inSlot(send: () => Promise<void>): Promise<void> {
    this.#sending++
    try {
      await send()
    } finally {
      this.#sending--
      this.wake()
    }
  }

  async #send(smtp: Smtp, held: Claimed): Promise<void> {
    const { id, kind, attempts: attempt } = held
    let mail: MailRow | undefined = held
    try {
      if (!isAddressed(held)) {
        mail = await this.#db.transaction((tx) => this.#resolve(tx, held, this.#clock.now()))
        if (!mail) return
      }
      const link = unsealOf(this.#settings, mail)
      const content: MailContent = { kind: mail.kind, params: JSON.parse(mail.params) }
      const { name } = settingsOf(await findSite(this.#db), this.#settings)
      const site = { name, url: siteUrl(this.#settings) }
      const letter = compose(content, mail.language, site, link)
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ATTEMPT_MS)])
      await smtp.send({ id, to: mail.to_address, createdAt: mail.created_at }, letter, signal)
    } catch (error) {
      await this.#postpone(mail ?? held, held, error)
      return
    }
    await endMail(this.#db, held, 'sent', this.#clock.now())
    this.#log.info({ mail: id, kind, attempt }, 'mail: sent')
  }

  async #postpone(mail: MailRow, held: HeldMail, error: unknown): Promise<void> {
    const now = this.#clock.now()
    const { id, kind, attempts, created_at } = mail
    if (this.#stop.signal.aborted) {
      await postponeMail(this.#db, held, { dueAt: now, attempts: attempts - 1 })
      return
    }
    const facts = { mail: id, kind, attempt: attempts, reason: describe(error, mail.to_address) }
    const dueAt = now + pauseAfter(attempts)
    // Also retries after a jump of the clock, because the age of the mail is then unknown.
    if (dueAt <= created_at + RETRIED_MS || !this.#steady.isTrusted(now)) {
      await postponeMail(this.#db, held, { dueAt, attempts })
      this.#log.warn(facts, 'mail: attempt failed')
    } else {
      await endMail(this.#db, held, 'failed', now)
      this.#log.error(facts, 'mail: failed, no attempts left')
    }
  }
}

function isAddressed({ kind, user_id }: MailRow): boolean {
  return kind !== 'password_reset' || user_id !== null
}

/**
 * Returns the milliseconds until the next attempt: FIRST_PAUSE_MS, doubled after each attempt, up to
 * LONGEST_PAUSE_MS.
 */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1))
}

/** Returns the message of an error without the address, which servers repeat but logs must not contain. */
function describe(error: unknown, address: string): string {
  const text = error instanceof Error ? error.message : String(error)
  return address ? text.replaceAll(address, '<recipient>') : text
}
