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

type Looked = { expression: string; limit: number }

/**
 * Returns SQL for the ids of up to `limit` documents that match the expression. With `isNewest`, selects the latest
 * documents; otherwise any.
 */
export function documents(
  p: Looked,
  { engine }: Dialect,
  isNewest: boolean,
): RawBuilder<{ id: string }> {
  const { expression, limit } = p
  if (engine === 'sqlite') {
    return sql`(select search_documents.id from search_index cross join search_documents
      where search_index match ${expression} and search_documents.number = search_index.rowid
      ${isNewest ? sql`order by search_index.rowid desc` : sql``} limit ${limit})`
  }
  return sql`(select id from search_documents
    where tokens_vector @@ cast(${expression} as tsquery)
    ${isNewest ? sql`order by id desc` : sql``} limit ${limit})`
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
): Statement<P & Looked & { most: number }, Candidate> {
  return statement((q, p: P & Looked & { most: number }, dialect) =>
    rawQuery(
      q,
      sql<Candidate>`with found as materialized ${documents(p, dialect, isNewest)}
        ${select(p, dialect)} and (select count(*) from found) <= ${p.most}
        union all select ${sql.lit(TOO_MANY)} as id, 0 as date, 0 as popularity
          where (select count(*) from found) > ${p.most}`,
    ),
  )
}

/** Returns the candidates, or undefined when more than `most` documents match. Without an expression, returns none. */
export async function listUpTo<P extends Row>(
  db: Handle,
  statementOf: (amount: Amount) => Statement<P & Looked & { most: number }, Candidate>,
  params: P & { expression: string | undefined },
  most: number,
): Promise<Candidate[] | undefined> {
  const { expression } = params
  if (expression === undefined) return []
  const looked = { ...params, expression, limit: most + 1, most }
  const found = await db.all(statementOf({ isNewest: false }), looked)
  return found[0]?.id === TOO_MANY ? undefined : found
}

/** Returns the candidates among the latest `limit` documents that match. Without an expression, returns none. */
export async function listNewest<P extends Row>(
  db: Handle,
  statementOf: (amount: Amount) => Statement<P & Looked & { most: number }, Candidate>,
  params: P & { expression: string | undefined },
  limit: number,
): Promise<Candidate[]> {
  const { expression } = params
  if (expression === undefined) return []
  return db.all(statementOf({ isNewest: true }), { ...params, expression, limit, most: limit })
}
