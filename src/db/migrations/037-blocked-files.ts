import type { Migration } from './words.ts'

/** Lets decisions block files. `hidden_subjects` also contains the hashes of blocked files. */
export const blockedFiles: Migration = {
  name: 'blocked-files',
  up: ({ key, text }) => [
    // Hash of the received bytes, if removing the metadata of a picture changed them.
    `alter table uploads add column received_sha256 ${key}`,
    `create index uploads_received on uploads (received_sha256) where received_sha256 is not null`,
    `alter table users add column blocked_avatar_url ${text}`,
    `create index users_blocked_avatar on users (blocked_avatar_url)
      where blocked_avatar_url is not null`,
    // Index of the blocked files: only hashes of files have 64 characters.
    `create index hidden_files on hidden_subjects (subject_id) where length(subject_id) = 64`,
  ],
}
