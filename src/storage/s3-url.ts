/** How STORAGE_URL names a bucket of an S3-compatible service. */
import { isPath } from './store.ts'

export interface Bucket {
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** Of the bucket, without a slash at the end: services are addressed by path, not by host. */
  url: string
  /** Before every path: empty, or with a slash at the end. */
  prefix: string
}

const FORM = 's3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=REGION]'
/** Also what services other than the first one take. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/

/**
 * `s3:` speaks TLS, and so do `s3+https:` and `https:`; `s3+http:` and `http:` do not. Throws what is
 * wrong in words to follow the setting's name, without a word of the secret.
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
