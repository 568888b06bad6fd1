import { type Static, Type } from 'typebox'
import { Content } from '../contents/schema.ts'
import { invalid } from '../errors.ts'
import { PageQuery, Pagination } from '../http/page.ts'

const SHELVES = ['related', 'popular'] as const
export type Shelf = (typeof SHELVES)[number]

export const GamesQuery = Type.Object(PageQuery)

export const GameList = Type.Object({ games: Type.Array(Content), pagination: Pagination })

export const GameQuery = Type.Object({
  include: Type.Optional(
    Type.String({
      description: 'Shelves to attach, separated by commas: `related`, `popular`',
    }),
  ),
})

/** A game; a shelf that was not asked for is absent. */
export const GameResult = Type.Object({
  game: Content,
  related: Type.Optional(Type.Array(Content)),
  popular: Type.Optional(Type.Array(Content)),
})
export type GameAnswer = Static<typeof GameResult>

/** The shelves that `include` names. Errors: 422 on `include`. */
export function shelvesOf(include: string | undefined): Set<Shelf> {
  const names = include?.split(',').map((name) => name.trim()) ?? []
  const shelves = SHELVES.filter((shelf) => names.includes(shelf))
  if (shelves.length < new Set(names).size) {
    throw invalid('include', 'invalid.choice', { choices: SHELVES.join(', ') })
  }
  return new Set(shelves)
}
