import { exampleGame } from '../contents/example.ts'
import type { GameLinks } from '../games/links.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import type { ContentViews } from '../views/views.ts'
import { playGame, getSwf, streamGame } from './play.ts'
import { listGames, getGame } from './rules.ts'
import {
  GameList,
  GameQuery,
  GameResult,
  GamesQuery,
  PlayAnswer,
  PlayInput,
  shelvesOf,
  StreamAnswer,
  SwfAnswer,
} from './schema.ts'

const ASKING = {
  tag: 'Games',
  auth: 'user',
  // The rule checks this id after comparing it with the id in the body.
  params: { id: { id: 'cnt', missing: 'GAME_NOT_FOUND', byRule: true } },
  body: PlayInput,
} as const
const signed = (path: string) =>
  `https://games.example.com/${path}/${exampleGame.id}.mi8w3bfk.pJ7cX0yq2kG5Zt1vB8nR4mWd9sLhE6uAoQfTgYxKjVc`
const expires_at = '2026-11-21T09:10:00.000Z'

export interface JumpDeps extends CoreDeps {
  games: GameLinks
  views: ContentViews
}

export function registerJump(api: Api<JumpDeps>): void {
  api.get('/jump/games', {
    id: 'listGames',
    summary: 'List games, newest first',
    tag: 'Games',
    auth: 'optional',
    query: GamesQuery,
    data: GameList,
    indexes: ['content_stats_latest_in'],
    example: { games: [exampleGame], pagination: examplePagination },
    handler: ({ db, viewer, query }) => listGames(db, viewer, query),
  })

  api.get('/jump/games/:id', {
    id: 'getGame',
    summary: 'Read a game, optionally with shelves of other games',
    tag: 'Games',
    auth: 'optional',
    params: { id: { id: 'cnt', missing: 'GAME_NOT_FOUND' } },
    query: GameQuery,
    data: GameResult,
    errors: ['GAME_NOT_FOUND'],
    example: { game: exampleGame, related: [], popular: [] },
    handler: async ({ deps, db, viewer, params, query, ip, userAgent, isHead, language }) => {
      const { answer, isOpen } = await getGame(db, params.id, viewer, shelvesOf(query), language)
      if (isOpen) deps.views.note(answer.game, { viewer, ip, userAgent, isHead })
      return answer
    },
  })

  api.post('/jump/games/:id/play', {
    id: 'playGame',
    summary: 'Play a game',
    description: 'Counts a play and returns the URL of a page that plays the game.',
    ...ASKING,
    data: PlayAnswer,
    errors: ['GAME_NOT_FOUND', 'CONTENT_NOT_READY'],
    example: {
      play: {
        id: 'ply_01kazqt4c8f7mxd5b0eyzw92hk',
        game_id: exampleGame.id,
        runtime: 'html5',
        launch_url: signed('launch'),
        expires_at,
      },
    },
    handler: async ({ deps, db, viewer, params, body, host, now }) => ({
      play: await playGame(db, deps.games, viewer, { id: params.id, body, host }, now),
    }),
  })

  api.post('/jump/games/:id/stream', {
    id: 'streamGame',
    summary: 'Get the main file of a game (bundle, module or film) as it was uploaded',
    ...ASKING,
    data: StreamAnswer,
    errors: ['GAME_NOT_FOUND', 'CONTENT_NOT_READY'],
    example: {
      stream: {
        url: signed('stream'),
        mime_type: 'application/zip',
        size_bytes: 1_482_310,
        expires_at,
      },
    },
    handler: async ({ deps, db, viewer, params, body, host, now }) => ({
      stream: await streamGame(db, deps.games, viewer, { id: params.id, body, host }, now),
    }),
  })

  api.post('/jump/games/:id/swf', {
    id: 'getSwf',
    summary: 'Get the film of a Flash game, for your own Ruffle player',
    ...ASKING,
    data: SwfAnswer,
    errors: ['GAME_NOT_FOUND', 'CONTENT_NOT_READY', 'GAME_RUNTIME_MISMATCH'],
    example: {
      swf: { url: signed('swf'), player: 'ruffle', size_bytes: 90_144, expires_at },
    },
    handler: async ({ deps, db, viewer, params, body, host, now }) => ({
      swf: await getSwf(db, deps.games, viewer, { id: params.id, body, host }, now),
    }),
  })
}
