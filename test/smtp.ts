import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { after } from 'node:test'
import { until } from './receiver.ts'

export interface ReceivedMail {
  from: string
  to: string
  /** Unfolded and decoded headers, by name in lower case. */
  headers: Record<string, string>
  raw: string
  text: string
  html: string
  /** First link in the text. */
  link: string
  token: string
}

export interface SmtpServer {
  url: string
  mails: ReceivedMail[]
  connections: number
  /** Decoded credentials of the last sign-in (AUTH PLAIN). Undefined before the first. */
  auth: string | undefined
  /** True when the connection of the last sign-in was encrypted. */
  isAuthSecret: boolean
  /** Reply to every command whose first word is the key, such as `RCPT: '451 later'`. */
  replies: Record<string, string>
  /** True to accept connections without sending anything on them. */
  isSilent: boolean
  /** Waits for a mail that matches, and returns the first such mail. */
  find(matches: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>
  /** Waits for at least `count` mails to an address, one by default, and returns the newest. */
  to(address: string, count?: number): Promise<ReceivedMail>
  stop(): Promise<void>
  start(): Promise<void>
}

/**
 * Starts a mail server on a free port, and stops it after the tests of the file. With `tls` (PEM texts), the server
 * offers STARTTLS.
 */
export async function startSmtp(tls?: { key: string; cert: string }): Promise<SmtpServer> {
  let port = 0
  const sockets = new Set<Socket>()
  const smtp: SmtpServer = {
    url: '',
    mails: [],
    connections: 0,
    auth: undefined,
    isAuthSecret: false,
    replies: {},
    isSilent: false,
    find: async (matches) => {
      await until(() => smtp.mails.some(matches), 'a mail')
      return smtp.mails.find(matches) as ReceivedMail
    },
    to: async (address, count = 1) => {
      const listed = () => smtp.mails.filter((mail) => mail.to === address)
      await until(() => listed().length >= count, `${count} mails to ${address}`)
      return listed().at(-1) as ReceivedMail
    },
    start: async () => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((socket) => {
    smtp.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (!smtp.isSilent) greet(smtp, socket, tls)
  })
  await smtp.start()
  smtp.url = `smtp://plaza:p%40ss@127.0.0.1:${port}`
  after(() => smtp.stop())
  return smtp
}

function greet(smtp: SmtpServer, socket: Socket, tls?: { key: string; cert: string }): void {
  converse(smtp, socket, tls !== undefined, () => {
    socket.removeAllListeners('data')
    const secret = new TLSSocket(socket, { isServer: true, ...tls })
    secret.on('error', () => {})
    converse(smtp, secret, false)
  })
  socket.write('220 test\r\n')
}

function converse(smtp: SmtpServer, socket: Socket, offersTls: boolean, startTls = () => {}): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let buffer = ''
  let isData = false
  let from = ''
  let to = ''
  const answer = (line: string): string => {
    const word = line.split(/[ :]/)[0]?.toUpperCase() ?? ''
    const planned = smtp.replies[word]
    if (planned) return planned
    if (word === 'EHLO') {
      const tls = offersTls ? '250-STARTTLS\r\n' : ''
      return `250-test\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n${tls}250 AUTH PLAIN`
    }
    if (word === 'STARTTLS') return offersTls ? '220 go on' : '502 unknown'
    if (word === 'AUTH') {
      smtp.isAuthSecret = socket instanceof TLSSocket
      smtp.auth = Buffer.from(line.split(' ')[2] ?? '', 'base64').toString()
      return '235 ok'
    }
    if (word === 'MAIL') from = /<(.*?)>/.exec(line)?.[1] ?? ''
    if (word === 'RCPT') to = /<(.*?)>/.exec(line)?.[1] ?? ''
    if (word === 'DATA') isData = true
    if (word === 'DATA') return '354 go on'
    return word === 'QUIT' ? '221 bye' : '250 ok'
  }
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    buffer += chunk
    for (;;) {
      const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const part = buffer.slice(0, end)
      buffer = buffer.slice(end + (isData ? 5 : 2))
      if (!isData) {
        say(answer(part))
        if (offersTls && part.toUpperCase() === 'STARTTLS') return startTls()
        continue
      }
      isData = false
      smtp.mails.push(parseMail(from, to, part.replaceAll('\r\n..', '\r\n.')))
      say(smtp.replies['END'] ?? '250 stored')
    }
  })
}

function parseMail(from: string, to: string, raw: string): ReceivedMail {
  const { headers, body } = split(raw)
  const boundary = /boundary="(.*?)"/.exec(headers['content-type'] ?? '')?.[1]
  const parts = body.split(`--${boundary}`).slice(1, -1).map(split)
  const read = (type: string) => {
    const part = parts.find((candidate) => candidate.headers['content-type']?.startsWith(type))
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '') : ''
  }
  const text = read('text/plain')
  const link = /^https?:\S+$/m.exec(text)?.[0] ?? ''
  const token = /#token=([\w-]+)$/.exec(link)?.[1] ?? ''
  return { from, to, headers, raw, text, html: read('text/html'), link, token }
}

function split(part: string): { headers: Record<string, string>; body: string } {
  const trimmed = part.replace(/^\r\n/, '')
  const end = trimmed.indexOf('\r\n\r\n')
  const lines = trimmed
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const pairs = lines.map((line) => /^([^:]+): *(.*)$/.exec(line)?.slice(1) ?? ['', ''])
  return {
    headers: Object.fromEntries(
      pairs.map(([name = '', value = '']) => [name.toLowerCase(), decodeWords(value)]),
    ),
    body: trimmed.slice(end + 4),
  }
}

/** Decodes `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=` (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, coding, text) =>
      coding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : fromQuoted(text.replaceAll('_', ' ')),
    )
}

function decode(body: string, coding: string): string {
  const text =
    coding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : coding === 'quoted-printable'
        ? fromQuoted(body.replaceAll('=\r\n', ''))
        : Buffer.from(body, 'latin1').toString()
  return text.replaceAll('\r\n', '\n')
}

function fromQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
