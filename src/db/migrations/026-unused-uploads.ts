import type { Migration } from './words.ts'

export const unusedUploads: Migration = {
  name: 'unused uploads',
  up: () => [
    `create index content_media_by_upload on content_media (upload_id)`,
    `create index contents_by_thumbnail_upload on contents (thumbnail_upload_id)
      where thumbnail_upload_id is not null`,
    `create index contents_by_own_picture on contents (thumbnail_url)
      where thumbnail_upload_id is null`,
  ],
}
