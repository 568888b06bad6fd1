import { type Static, Type } from 'typebox'
import { Content } from '../contents/schema.ts'
import type { Problem } from '../errors.ts'
import { checked, choice, exact, time } from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'

const SHELVES = ['related', 'popular'] as const
export type Shelf = (typeof SHELVES)[number]

export const GamesQuery = Type.Object(PageQuery)

export const GameList = Type.Object({ games: Type.Array(Content), pagination: Pagination })

export const GameQuery = checked(
  Type.Object({
    include: Type.Optional(
      Type.String({
        description: 'Shelves to include, separated by commas: `related`, `popular`',
      }),
    ),
  }),
  checkGameQuery,
)

export const GameResult = Type.Object({
  game: Content,
  related: Type.Optional(Type.Array(Content)),
  popular: Type.Optional(Type.Array(Content)),
})
export type GameAnswer = Static<typeof GameResult>

type GameQuery = Static<typeof GameQuery>

function checkGameQuery(query: { include?: string }, problems: Problem[]): void {
  if (shelvesOf(query).size < new Set(namesOf(query)).size) {
    const params = { choices: SHELVES.join(', ') }
    problems.push({ field: 'include', key: 'invalid.choice', params })
  }
}

export function shelvesOf(query: GameQuery): Set<Shelf> {
  const names = namesOf(query)
  return new Set(SHELVES.filter((shelf) => names.includes(shelf)))
}

function namesOf({ include }: { include?: string }): string[] {
  return include?.split(',').map((name) => name.trim()) ?? []
}

export const PlayInput = Type.Object(
  {
    id: exact(Type.String({ description: 'The same id as in the path' })),
  },
  { examples: [{ id: 'cnt_01kazqp7m2gk4c9y8sjxdw0v6a' }] },
)

const SIGNED = 'Signed URL. Anyone who has it may use it until `expires_at`'

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
