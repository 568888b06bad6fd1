/** DNS server for tests. It can give a different answer to each query for the same name. */
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

const A = 1
const CNAME = 5
const AAAA = 28
const HEADER_BYTES = 12
/** Flags of a successful response, with recursion available. */
const FLAGS = 0x8180
/** Compression pointer to the name in the question. */
const SAME_NAME = 0xc00c

/**
 * Returns the addresses of a name and optionally its alias (CNAME), or undefined to send no response. `asked` counts
 * the queries for this name and record type, from 1.
 */
export type Zone = (
  name: string,
  asked: number,
) => { alias?: string; addresses: string[] } | undefined

/** Starts a DNS server on port 53 of this network namespace. `questions` counts queries. All records have a TTL of 0. */
export async function serveNames(zone: Zone): Promise<{ questions: number; close(): void }> {
  const socket = createSocket({ type: 'udp6', ipv6Only: false })
  const asked = new Map<string, number>()
  const server = { questions: 0, close: () => void socket.close() }
  socket.on('message', (query, from) => {
    server.questions += 1
    const { name, type, end } = readQuestion(query)
    const count = (asked.get(`${name} ${type}`) ?? 0) + 1
    asked.set(`${name} ${type}`, count)
    const found = zone(name, count)
    if (!found) return
    const { alias, addresses } = found
    const records: Buffer[] = []
    let owner = name
    if (alias) {
      records.push(record(owner, CNAME, nameBytes(alias), name))
      owner = alias
    }
    for (const address of addresses) {
      const is6 = isIPv6(address)
      if ((is6 ? AAAA : A) === type) records.push(record(owner, type, addressBytes(address), name))
    }
    const head = Buffer.from(query.subarray(0, HEADER_BYTES))
    head.writeUInt16BE(FLAGS, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8)
    const answer = Buffer.concat([head, query.subarray(HEADER_BYTES, end), ...records])
    socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(53, '::', done))
  return server
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let offset = HEADER_BYTES
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(offset + 1),
    end: offset + 5,
  }
}

function record(owner: string, type: number, data: Buffer, question: string): Buffer {
  const name = owner === question ? uint16(SAME_NAME) : nameBytes(owner)
  const ttl = Buffer.alloc(4)
  return Buffer.concat([name, uint16(type), uint16(1), ttl, uint16(data.length), data])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  // The URL parser normalizes every IPv6 spelling to groups in hexadecimal.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (half: string) => half.split(':').filter(Boolean)
  const [before, after] = [groups(left), groups(right)]
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return Buffer.concat([...before, ...zeros, ...after].map((group) => uint16(parseInt(group, 16))))
}
