import { type Static, Type } from 'typebox'
import { isoOrNull } from '../clock.ts'
import { Content, type ContentRecord } from '../contents/schema.ts'
import type { PickRow } from '../db/site-tables.ts'
import { checked, textOrNull, timeOrNull } from '../http/fields.ts'
import { checkTime } from '../http/times.ts'

export const PICKS_MAX = 50

const Pick = Type.Object(
  {
    content: Content,
    note: textOrNull(),
    until: timeOrNull({ description: 'Null when it does not end' }),
  },
  { title: 'Pick' },
)
export const OnePick = Type.Object({ pick: Pick })
export const Picks = Type.Object({ picks: Type.Array(Pick) })

export const PickInput = Type.Optional(
  checked(
    Type.Object(
      {
        note: Type.Optional(textOrNull({ maxLength: 200 })),
        until: Type.Optional(timeOrNull()),
        position: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              'Place in the list from 0; later picks move. Default: unchanged, or the end',
          }),
        ),
      },
      { examples: [{ note: '이번 주 추천', position: 0 }] },
    ),
    ({ until }, problems) => checkTime('until', until, problems),
  ),
)
export type PickInput = Static<typeof PickInput>

export function toPick(
  { note, until }: globalThis.Pick<PickRow, 'note' | 'until'>,
  content: ContentRecord,
): Static<typeof Pick> {
  return { content, note, until: isoOrNull(until) }
}
