/** XML documents of the S3 API (ListObjectsV2, multipart uploads). */
import type { StoredFile } from './store.ts'

export interface Listing {
  files: (StoredFile & { key: string })[]
  /** Continuation token for the next page. Undefined on the last page. */
  next: string | undefined
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function readListing(xml: string): Listing {
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: elementOf(entry, 'Key') ?? '',
    sizeBytes: Number(elementOf(entry, 'Size')),
    modifiedAt: Date.parse(elementOf(entry, 'LastModified') ?? ''),
  }))
  return { files, next: elementOf(xml, 'NextContinuationToken') }
}

/** Returns the text of the first element with this name, or undefined. */
export function elementOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(#x?)?(\w+);/g, (whole, number: string | undefined, value: string) => {
    if (number) return String.fromCodePoint(Number.parseInt(value, number === '#' ? 10 : 16))
    return ENTITIES[value] ?? whole
  })
}

/** Returns the request body that completes a multipart upload. The ETags are in the order of the parts. */
export function completionOf(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
