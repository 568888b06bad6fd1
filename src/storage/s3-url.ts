import { isPath } from './store.ts'

export interface Bucket {
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** URL without a trailing slash. The bucket name is in the path, not in the host name. */
  url: string
  /** Prefix of every key. Empty, or with a trailing slash. */
  prefix: string
}

const FORM = 's3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=REGION]'
/** Matches bucket names. The pattern allows more names than AWS, because other services allow them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/

/**
 * Parses STORAGE_URL. `s3:`, `s3+https:` and `https:` use TLS; `s3+http:` and `http:` do not. Errors: an Error whose
 * message contains no secret. The message begins with a verb, so that the setting's name can precede it.
 */
export function parseStorageUrl(text: string): Bucket {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const scheme = url && /^(?:s3\+)?(https?):$/.exec(url.protocol)?.[1]
  if (!url || !url.host || !(scheme || url.protocol === 's3:')) throw new Error(`must be ${FORM}`)
  const [, bucket = '', ...rest] = url.pathname.split('/')
  const prefix = rest.join('/').replace(/\/$/, '')
  const accessKeyId = decoded(url.username)
  const secretAccessKey = decoded(url.password)
  if (!accessKeyId || !secretAccessKey) {
    throw new Error(`must hold a key and a secret, each URL-encoded: ${FORM}`)
  }
  if (!NAME.test(bucket)) throw new Error(`must name a bucket: ${FORM}`)
  if (prefix !== '' && !isPath(prefix)) {
    throw new Error('must have a prefix of a-z 0-9 . _ - / or none')
  }
  return {
    accessKeyId,
    secretAccessKey,
    region: url.searchParams.get('region') || 'us-east-1',
    url: `${scheme ?? 'https'}://${url.host}/${bucket}`,
    prefix: prefix && `${prefix}/`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
