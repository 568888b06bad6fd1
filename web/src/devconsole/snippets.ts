const TYPESCRIPT = `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookVerificationError } from 'plaza-sdk'

const { PLAZA_SECRET, PLAZA_SIGNING_SECRET } = process.env
if (!PLAZA_SECRET || !PLAZA_SIGNING_SECRET) throw new Error('Both secrets are needed')

createServer(async (request, response) => {
  try {
    const event = await verifyWebhook({
      headers: request.headers,
      body: await buffer(request),
      sharedSecret: PLAZA_SECRET,
      signingSecret: PLAZA_SIGNING_SECRET,
    })
    response.writeHead(204).end()
    console.log(event.id, event.type)
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
  }
}).listen(4000)
`

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const key = Buffer.from(process.env.PLAZA_SIGNING_SECRET.slice('whsec_'.length), 'base64')

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers
  if (!id || !at || !signatures || !(Math.abs(Date.now() / 1000 - at) < 300)) return false
  const digest = createHmac('sha256', key).update(\`\${id}.\${at}.\`).update(body).digest('base64')
  const expected = Buffer.from(\`v1,\${digest}\`)
  return signatures.split(' ').some((text) => {
    const given = Buffer.from(text)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

createServer(async (request, response) => {
  const body = await buffer(request)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  response.writeHead(204).end()
  const event = JSON.parse(body)
  console.log(event.id, event.type)
}).listen(4000)
`

const PYTHON = `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["PLAZA_SIGNING_SECRET"].removeprefix("whsec_"))


def is_genuine(headers, body):
    id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not at.isdecimal() or abs(time.time() - int(at)) > 300:
        return False
    digest = hmac.new(KEY, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(one, expected) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            event = json.loads(body)
            print(event["id"], event["type"])


HTTPServer(("127.0.0.1", 4000), Receiver).serve_forever()
`

const CURL = `ENDPOINT='%ENDPOINT%'
SECRET='svs_…'
SIGNING_SECRET='whsec_…'

ID=evt_01kazr3c5hd8t1q7n4w0jzk2xm
AT=$(date +%s)
BODY='{"id":"'$ID'","type":"webhook.test","created_at":"2026-11-21T09:12:40.518Z","api_version":"v1","data":{}}'
KEY=$(printf %s "\${SIGNING_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$AT.$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)

curl -i "$ENDPOINT" \\
  -H 'Content-Type: application/json' \\
  -H "X-Service-Secret: $SECRET" \\
  -H "webhook-id: $ID" \\
  -H "webhook-timestamp: $AT" \\
  -H "webhook-signature: v1,$SIGNATURE" \\
  --data-raw "$BODY"
`

export function snippetsFor(endpoint_url: string) {
  // Escapes single quotes for a shell. Inside single quotes all other characters are literal.
  const quoted = endpoint_url.replaceAll("'", "'\\''")
  return [
    { id: 'typescript', label: 'TypeScript', text: TYPESCRIPT },
    { id: 'node', label: 'Node.js', text: NODE },
    { id: 'python', label: 'Python', text: PYTHON },
    { id: 'curl', label: 'curl', text: CURL.replace('%ENDPOINT%', () => quoted) },
  ]
}
