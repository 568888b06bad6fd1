import type { Transporter } from 'nodemailer'
import type { Letter } from './compose.ts'

/** Maximum milliseconds to connect (CONNECT_MS), and between two messages of the server (SILENCE_MS). */
const CONNECT_MS = 10_000
const SILENCE_MS = 30_000
const CONTROL = /\p{Cc}+/gu
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/

export interface Envelope {
  /** Id of the mail, used in the Message-ID. */
  id: string
  to: string
  createdAt: number
}

/** Sends each mail over a separate SMTP connection. */
export class Smtp {
  /** nodemailer, which is loaded only here, because it takes 20 MB and most servers have no SMTP. */
  readonly #transport: Promise<Transporter>
  readonly #from: { name: string; address: string }

  constructor(smtpUrl: string, mailFrom: string) {
    const { protocol, hostname, port, username, password } = new URL(smtpUrl)
    this.#from = parseSender(mailFrom)
    const isLocal = LOOPBACK.test(hostname)
    const options = {
      host: hostname.replace(/^\[|\]$/g, ''),
      secure: protocol === 'smtps:',
      ...(port && { port: Number(port) }),
      ...(username && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      // A mail server on this machine needs no encryption, and its certificate is often for another name.
      ignoreTLS: isLocal,
      // Otherwise an attacker in the network could remove the mail server's offer of TLS and read the password.
      requireTLS: username !== '' && !isLocal,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // Forbids attachments from files and URLs, because the texts of mails come from the database.
      disableFileAccess: true,
      disableUrlAccess: true,
    }
    this.#transport = import('nodemailer').then(({ createTransport }) => createTransport(options))
  }

  /** Sends a mail. Rejects when the server has not accepted the mail, or when `signal` aborts. */
  async send({ id, to, createdAt }: Envelope, letter: Letter, signal: AbortSignal): Promise<void> {
    const { address } = this.#from
    const domain = address.slice(address.lastIndexOf('@') + 1)
    const recipient = clean(to)
    if (recipient !== to) throw new Error('the address contains control characters')
    const transport = await this.#transport
    await transport.sendMail({
      signal,
      from: this.#from,
      to: { name: '', address: to },
      envelope: { from: address, to },
      subject: clean(letter.subject),
      messageId: `<${id}@${domain}>`,
      date: new Date(createdAt),
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letter.language },
      text: letter.text,
      html: letter.html,
    })
  }
}

/** Returns a header value without line breaks and other control characters. */
function clean(value: string): string {
  return value.replace(CONTROL, ' ')
}

/** Parses MAIL_FROM: an address, or a name followed by an address in angle brackets. */
export function parseSender(value: string): { name: string; address: string } {
  const [, name = '', address = ''] =
    /^(?:"?([^<>"]*?)"? *<)?([^<>\s]+@[^<>\s]+?)>?$/.exec(value) ?? []
  return { name: name.trim(), address }
}
