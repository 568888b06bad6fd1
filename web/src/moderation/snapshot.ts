import type { Case, Comment, ContentDetail, Creator, Message, Post } from '#sdk'

/**
 * Returns the copy of the subject that the server stored with the case. Its fields depend on the kind of the
 * subject.
 */
export function snapshotOf({ snapshot }: Case) {
  return (snapshot ?? {}) as unknown as Partial<ContentDetail & Comment & Post & Message & Creator>
}

/** Returns a text that identifies the subject of a case. */
export function excerptOf(item: Case): string {
  const { title, body, display_name } = snapshotOf(item)
  return title ?? display_name ?? body ?? ''
}

/** Matches the SHA-256 in the URL of an uploaded file, which is also in the URLs of its converted versions. */
const HASH = /^\/uploads\/([0-9a-f]{64})/

/**
 * Returns the uploaded files of a case's subject: its media, or else its thumbnail or avatar. Empty if the subject has
 * no files.
 */
export function filesOf(item: Case): { hash: string; url: string; isPicture: boolean }[] {
  const { media, thumbnail_url, avatar_url } = snapshotOf(item)
  const urls = media?.length
    ? media.map(({ url, mime_type }) => [url, mime_type.startsWith('image/')] as const)
    : [[thumbnail_url ?? avatar_url ?? null, true] as const]
  return urls.flatMap(([url, isPicture]) => {
    const hash = url === null ? undefined : HASH.exec(url)?.[1]
    return url !== null && hash ? [{ hash, url, isPicture }] : []
  })
}
