import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../db/handle.ts'
import {
  type Dialect,
  type Params,
  type Row,
  rawQuery,
  type Statement,
  statement,
} from '../db/statement.ts'
import type { Candidate } from './collect.ts'
import type { Lookup } from './expressions.ts'

export type LimitedLookup = Lookup & { limit: number }

/**
 * Returns SQL for the ids of up to `limit` documents that match. With `isNewest`, selects the latest documents; otherwise
 * any. On SQLite, the result includes documents that the index does not contain yet if they have the required tokens,
 * even when they do not match the rest of the expression.
 */
export function documents(
  p: LimitedLookup,
  { engine }: Dialect,
  isNewest: boolean,
): RawBuilder<{ id: string }> {
  const { expression, required, limit } = p
  const newest = (column: string) =>
    sql`${isNewest ? sql`order by ${sql.ref(column)} desc` : sql``} limit ${limit}`
  if (engine === 'postgres') {
    return sql`(select id from search_documents
      where tokens_vector @@ cast(${expression} as tsquery) ${newest('id')})`
  }
  return sql`(select id from (
      select number, id from search_documents
        where number > (select number from search_index_reached where id = 1)
          and not exists (select 1 from json_each(${required}) as token
            where instr(' ' || tokens, ' ' || token.value) = 0)
      union all
      select number, id from (select number, id from search_index cross join search_documents
        where search_index match ${expression} and number = search_index.rowid
        ${newest('search_index.rowid')}))
    ${newest('number')})`
}

export interface Amount {
  /**
   * True to select only the latest candidates when too many documents match. False to select all candidates, or the
   * row TOO_MANY when too many documents match.
   */
  isNewest: boolean
}

/** Id of the single row that the statement returns when too many documents match. */
const TOO_MANY = ''

/**
 * Builds the statement of a search. `select` reads the candidates from `found`, a table with the ids of the matching
 * documents. If more than `most` documents match and `isNewest` is false, the statement returns a single row with the
 * id TOO_MANY.
 */
export function candidatesStatement<P extends Params>(
  { isNewest }: Amount,
  select: (p: P, dialect: Dialect) => RawBuilder<Candidate>,
): Statement<P & LimitedLookup & { most: number }, Candidate> {
  return statement((q, p: P & LimitedLookup & { most: number }, dialect) =>
    rawQuery(
      q,
      sql<Candidate>`with found as materialized ${documents(p, dialect, isNewest)}
        ${select(p, dialect)} and (select count(*) from found) <= ${p.most}
        union all select ${sql.lit(TOO_MANY)} as id, 0 as date, 0 as popularity
          where (select count(*) from found) > ${p.most}`,
    ),
  )
}

/** A lookup and the other parameters of a statement. */
interface CandidateParams<P> {
  lookup: Lookup | undefined
  bound: P
}

/** Returns the candidates, or undefined when more than `most` documents match. Without a lookup, returns none. */
export async function listUpTo<P extends Row>(
  db: Handle,
  statementOf: (amount: Amount) => Statement<P & LimitedLookup & { most: number }, Candidate>,
  { lookup, bound }: CandidateParams<P>,
  most: number,
): Promise<Candidate[] | undefined> {
  if (!lookup) return []
  const looked = { ...bound, ...lookup, limit: most + 1, most }
  const found = await db.all(statementOf({ isNewest: false }), looked)
  return found[0]?.id === TOO_MANY ? undefined : found
}

/** Returns the candidates among the latest `limit` documents that match. Without a lookup, returns none. */
export async function listNewest<P extends Row>(
  db: Handle,
  statementOf: (amount: Amount) => Statement<P & LimitedLookup & { most: number }, Candidate>,
  { lookup, bound }: CandidateParams<P>,
  limit: number,
): Promise<Candidate[]> {
  if (!lookup) return []
  return db.all(statementOf({ isNewest: true }), { ...bound, ...lookup, limit, most: limit })
}
