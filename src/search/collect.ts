/**
 * Finds the newest rows that match a query. The text of each candidate from the index is compared with the query. So
 * SQLite and PostgreSQL return the same rows, although their indexes differ.
 *
 * The search also reads the newest rows without the index in three cases: all terms are frequent, the index finds too
 * many candidates, or a phrase may occur inside a word.
 */
import { type Query, scoreOf, type Term, type WeightedField } from '../indexing/tokens.ts'
import { Turns } from './turns.ts'

/** Maximum rows that a search lists. */
export const FOUND_MAX = 1000
/** If the index finds more candidates, the search reads the newest rows first. */
export const CANDIDATES_MAX = 20_000
/** Maximum candidates of a search that found too few matches in the newest rows. */
export const ALL_CANDIDATES_MAX = 100_000
/** Maximum rows that a search reads without the index. */
const WALK_MAX = 20_000
/** Minimum rows read before `readNewest` may stop early. */
const WALK_TRIED = 2000
/** Share of the sampled rows above which a term counts as frequent. */
const FREQUENT_SHARE = 0.1
/** Minimum rows of a sample. In a smaller sample, no term counts as frequent. */
const SAMPLE_MIN = 200
/** Maximum rows whose texts one statement reads. */
export const CHUNK = 500

export interface Candidate {
  id: string
  /** Time of the row in epoch milliseconds. */
  date: number
  /** Sort key of `sort=popular`. */
  popularity: number
}

export interface Found extends Candidate {
  score: number
}

export interface Texts {
  id: string
  fields: WeightedField[]
}

type Walked = Candidate & Texts & { isIncluded: boolean }

export interface Source {
  /** Returns the rows that the index finds for a query, or undefined when it finds more than `limit` rows. */
  listCandidates(query: Query, limit: number): Promise<Candidate[] | undefined>
  /**
   * Returns the candidates that the index finds. If it finds more than ALL_CANDIDATES_MAX documents, returns only the
   * newest.
   */
  listAllCandidates(): Promise<Candidate[]>
  /**
   * Returns up to CHUNK rows that follow `after`, or the newest rows when `after` is undefined. Newest first. Includes
   * rows that the filters exclude.
   */
  walk(after: Candidate | undefined): Promise<Walked[]>
  listTexts(ids: string[]): Promise<Texts[]>
}

const newestFirst = (left: Candidate, right: Candidate) =>
  right.date - left.date || (right.id < left.id ? -1 : 1)

/**
 * Returns up to FOUND_MAX + 1 rows that match the query, newest first. `sample` contains the fields of some rows. Terms
 * that are frequent in the sample are not looked up in the index, because checking the texts is faster.
 */
export async function collect(
  source: Source,
  query: Query,
  sample: readonly WeightedField[][],
): Promise<Found[]> {
  if (query.terms.length === 0) return []
  const terms = await listRare(query.terms, sample)
  const isComplete = query.terms.every(({ isCovered }) => isCovered)
  const candidates =
    terms.length > 0 ? await source.listCandidates({ ...query, terms }, CANDIDATES_MAX) : undefined
  if (candidates && isComplete) return verify(source, query, candidates)
  const { found, isWhole } = await readNewest(source, query, isComplete)
  if (isWhole) return found
  const more = await verify(source, query, candidates ?? (await source.listAllCandidates()))
  const byId = new Map([...found, ...more].map((row) => [row.id, row]))
  return [...byId.values()].toSorted(newestFirst).slice(0, FOUND_MAX + 1)
}

/** Returns the terms that few rows of the sample have, or all terms when the sample is too small. */
async function listRare(terms: readonly Term[], sample: readonly WeightedField[][]) {
  if (sample.length < SAMPLE_MIN) return [...terms]
  const turns = new Turns()
  const most = sample.length * FREQUENT_SHARE
  const rare: Term[] = []
  for (const term of terms) {
    let found = 0
    for (const fields of sample) {
      if (fields.some(({ field }) => term.matches(field))) found++
      if (found > most) break
      await turns.pass()
    }
    if (found <= most) rare.push(term)
  }
  return rare
}

async function verify(source: Source, query: Query, candidates: Candidate[]): Promise<Found[]> {
  const found: Found[] = []
  const turns = new Turns()
  const sorted = candidates.toSorted(newestFirst)
  for (let from = 0; from < sorted.length && found.length <= FOUND_MAX; from += CHUNK) {
    const some = sorted.slice(from, from + CHUNK)
    const texts = await source.listTexts(some.map(({ id }) => id))
    const fieldsOf = new Map(texts.map(({ id, fields }) => [id, fields]))
    for (const candidate of some) {
      const score = scoreOf(query, fieldsOf.get(candidate.id) ?? [])
      if (score !== undefined) found.push({ ...candidate, score })
      await turns.pass()
    }
  }
  return found.slice(0, FOUND_MAX + 1)
}

/**
 * Reads rows, newest first, and returns the first FOUND_MAX + 1 matches. `isWhole` is false when unread rows could
 * belong to the result. With `mayStop`, stops early when WALK_MAX rows are expected to contain fewer than FOUND_MAX
 * matches.
 */
async function readNewest(
  source: Source,
  query: Query,
  mayStop: boolean,
): Promise<{ found: Found[]; isWhole: boolean }> {
  const found: Found[] = []
  const turns = new Turns()
  let last: Walked | undefined
  for (let read = 0; read < WALK_MAX; ) {
    const rows = await source.walk(last)
    for (const { id, date, popularity, fields, isIncluded } of rows) {
      const score = isIncluded ? scoreOf(query, fields) : undefined
      if (score !== undefined) found.push({ id, date, popularity, score })
      await turns.pass()
    }
    if (found.length > FOUND_MAX) return { found: found.slice(0, FOUND_MAX + 1), isWhole: true }
    if (rows.length < CHUNK) return { found, isWhole: true }
    last = rows.at(-1)
    read += rows.length
    const isSparse = (found.length / read) * WALK_MAX < FOUND_MAX
    if (mayStop && read >= WALK_TRIED && isSparse) break
  }
  return { found, isWhole: false }
}

export type Sort = 'relevance' | 'latest' | 'popular'

/**
 * Returns the rows in the order of `sort`. Rows with equal sort keys are ordered by id: descending by default,
 * ascending with `isAscending`, which `latest` ignores.
 */
export function sortFound(found: readonly Found[], sort: Sort, isAscending = false): Found[] {
  if (sort === 'latest') return found.toSorted(newestFirst)
  const sign = isAscending ? -1 : 1
  return found.toSorted(
    (left, right) =>
      (sort === 'relevance' ? right.score - left.score : 0) ||
      right.popularity - left.popularity ||
      (left.id < right.id ? sign : -sign),
  )
}
