import type { Migration } from './words.ts'

export const games: Migration = {
  name: 'games',
  up: ({ int, text, key, clustered }) => [
    `create table bundles (
      file_sha256 ${key} primary key references files (sha256),
      runtime ${text} not null check (runtime in ('html5', 'wasm', 'swf')),
      entry ${text},
      facts ${text} not null,
      check ((entry is not null) = (runtime = 'html5'))
    ) ${clustered}`,

    `create table bundle_files (
      bundle_sha256 ${key} not null references bundles (file_sha256),
      path ${key} not null,
      position ${int} not null check (position >= 0),
      mime_type ${text} not null,
      size_bytes ${int} not null check (size_bytes >= 0),
      primary key (bundle_sha256, path),
      unique (bundle_sha256, position)
    ) ${clustered}`,

    `create table plays (
      id ${key} primary key,
      game_id ${key} not null references contents (id),
      user_id ${key} not null references users (id),
      created_at ${int} not null
    ) ${clustered}`,
    `create index plays_by_game on plays (game_id, id)`,
  ],
}
