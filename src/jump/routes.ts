import { exampleGame } from '../contents/example.ts'
import { noteView } from '../contents/views.ts'
import type { PlazaApi } from '../deps.ts'
import { examplePagination } from '../http/page.ts'
import { listGames, readGame } from './rules.ts'
import { GameList, GameQuery, GameResult, GamesQuery, shelvesOf } from './schema.ts'

export function registerJump(api: PlazaApi): void {
  api.get('/jump/games', {
    id: 'listGames',
    summary: 'List games, newest first',
    tag: 'Games',
    auth: 'optional',
    query: GamesQuery,
    data: GameList,
    example: { games: [exampleGame], pagination: examplePagination },
    handler: ({ db, viewer, query }) => listGames(db, viewer, query),
  })

  api.get('/jump/games/:id', {
    id: 'readGame',
    summary: 'Read a game, with shelves of other games if asked for',
    tag: 'Games',
    auth: 'optional',
    params: { id: { id: 'cnt', missing: 'GAME_NOT_FOUND' } },
    query: GameQuery,
    data: GameResult,
    errors: ['GAME_NOT_FOUND'],
    example: { game: exampleGame, related: [], popular: [] },
    handler: async ({ deps, db, viewer, params, query, ip, userAgent }) => {
      const { answer, isPublic } = await readGame(db, params.id, viewer, shelvesOf(query.include))
      if (isPublic) noteView(deps, answer.game, { viewer, ip, userAgent })
      return answer
    },
  })
}
