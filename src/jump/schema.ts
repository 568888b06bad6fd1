import { type Static, Type } from 'typebox'
import { Content } from '../contents/schema.ts'
import { invalid } from '../errors.ts'
import { choice, time } from '../http/fields.ts'
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

export const PlayInput = Type.Object({
  id: Type.String({ description: 'The id in the path once more' }),
})

const SIGNED = 'Signed: whoever has it may use it until `expires_at`'

export const PlayAnswer = Type.Object({
  play: Type.Object(
    {
      id: Type.String(),
      game_id: Type.String(),
      runtime: choice(['html5', 'wasm', 'swf']),
      launch_url: Type.String({ description: `A page to show in a frame. ${SIGNED}` }),
      expires_at: time(),
    },
    { title: 'Play' },
  ),
})

export const StreamAnswer = Type.Object({
  stream: Type.Object(
    {
      url: Type.String({ description: SIGNED }),
      mime_type: Type.String(),
      size_bytes: Type.Integer(),
      expires_at: time(),
    },
    { title: 'GameStream' },
  ),
})

export const SwfAnswer = Type.Object({
  swf: Type.Object(
    {
      url: Type.String({ description: SIGNED }),
      player: choice(['ruffle']),
      size_bytes: Type.Integer(),
      expires_at: time(),
    },
    { title: 'FlashFilm' },
  ),
})
