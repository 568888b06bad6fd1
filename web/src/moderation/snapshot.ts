import type { Case, Comment, ContentDetail, Creator, Message, Post } from '#sdk'

/** The snapshot of a case has the record's type of its kind. */
export function snapshotOf({ snapshot }: Case) {
  return (snapshot ?? {}) as unknown as Partial<ContentDetail & Comment & Post & Message & Creator>
}

/** One line that identifies the subject of a case. */
export function excerptOf(item: Case): string {
  const { title, body, display_name } = snapshotOf(item)
  return title ?? display_name ?? body ?? ''
}

/** The address of an uploaded file, and of everything made from it, contains the file's SHA-256. */
const HASH = /^\/uploads\/([0-9a-f]{64})/

/** Files of a subject, by SHA-256. */
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
