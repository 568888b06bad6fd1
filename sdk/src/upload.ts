import { type Answer, dataOf } from './answer.ts'
import { randomHex } from './bytes.ts'
import { unreachable } from './errors.ts'
import type { Upload } from './generated.ts'
import { exchange, limited, type Transport, withSession } from './transport.ts'

/** Progress of an upload, in bytes. */
export interface UploadProgress {
  /** Bytes passed to the network so far, including about 200 bytes of form data around the file. */
  sent: number
  /** Bytes to send in total, including the form data. */
  total: number
}

/** Options of `upload`. */
export interface UploadOptions {
  /** File name to send. Default: the name of a `File`, or `file` for other blobs. */
  name?: string
  /** Called repeatedly while the file is sent. */
  onProgress?: (progress: UploadProgress) => void
  /** Aborts the upload. The call then rejects with `ABORTED`. */
  signal?: AbortSignal
}

interface Form {
  url: string
  body: Blob
  headers: Record<string, string>
  signal: AbortSignal
}

type Report = (progress: UploadProgress) => void

/** Uploads a file. After a 401 renews the session and sends the file once more. Other failures are not retried. */
export async function upload(
  transport: Transport,
  file: Blob,
  { name, onProgress, signal: outer }: UploadOptions = {},
): Promise<Upload> {
  const { signal, done } = limited(outer, Number.POSITIVE_INFINITY)
  const { body, type } = formOf(file, name)
  const send = async (credentials: Record<string, string>) => {
    const headers = { ...transport.headers(), 'content-type': type, ...credentials }
    const form: Form = { url: `${transport.url}/api/v1/uploads`, body, headers, signal }
    return dataOf(await sendForm(transport.fetch, form, onProgress)) as { upload: Upload }
  }
  try {
    return (await withSession(transport, { isPublic: false }, signal, send)).upload
  } finally {
    done()
  }
}

function sendForm(fetching: typeof fetch, form: Form, report: Report | undefined) {
  const { url, body, headers, signal } = form
  const init = { method: 'POST', headers, signal }
  if (!report) return exchange(fetching, url, { ...init, body })
  if (Xhr()) return sendByXhr(form, report)
  // `fetch` requires `duplex` for a streamed body. The options are in a variable, because a literal would fail where
  // the types do not declare `duplex`.
  const streamed = { ...init, body: counted(body, report), duplex: 'half' as const }
  return exchange(fetching, url, streamed)
}

/** Returns the multipart body with the file, and its Content-Type. Escapes the file name as browsers do. */
function formOf(file: Blob, name = (file as Blob & { name?: string }).name ?? 'file') {
  const boundary = `plaza-${randomHex()}`
  const escaped = name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${escaped}"\r\n` +
    `content-type: ${file.type || 'application/octet-stream'}\r\n\r\n`
  return {
    body: new Blob([head, file, `\r\n--${boundary}--\r\n`]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

function counted(body: Blob, report: Report): ReadableStream<Uint8Array> {
  let sent = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength
      controller.enqueue(chunk)
      report({ sent, total: body.size })
    },
  })
  return body.stream().pipeThrough(counter)
}

/** Members of XMLHttpRequest that `upload` uses. Type libraries without the DOM do not declare XMLHttpRequest. */
interface XhrLike {
  readonly status: number
  readonly responseText: string
  readonly upload: {
    addEventListener(
      type: 'progress',
      listener: (progress: { loaded: number; total: number }) => void,
    ): void
  }
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  addEventListener(type: 'load' | 'error' | 'abort', listener: () => void): void
  send(body: Blob): void
  abort(): void
}

function Xhr() {
  return (globalThis as { XMLHttpRequest?: new () => XhrLike }).XMLHttpRequest
}

/** Sends the form with XMLHttpRequest, because `fetch` in browsers reports no upload progress. */
function sendByXhr({ url, body, headers, signal }: Form, report: Report): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const xhr = new (Xhr() as new () => XhrLike)()
    const end = () => xhr.abort()
    const fail = () => {
      signal.removeEventListener('abort', end)
      reject(signal.aborted ? (signal.reason as Error) : unreachable())
    }
    xhr.upload.addEventListener('progress', ({ loaded, total }) => report({ sent: loaded, total }))
    xhr.addEventListener('error', fail)
    xhr.addEventListener('abort', fail)
    xhr.addEventListener('load', () => {
      signal.removeEventListener('abort', end)
      const header = (name: string) => xhr.getResponseHeader(name)
      resolve({ status: xhr.status, text: xhr.responseText, header })
    })
    if (signal.aborted) return fail()
    signal.addEventListener('abort', end)
    xhr.open('POST', url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.send(body)
  })
}
