import pg from 'pg'
import type { Journal, Kind } from './writers.ts'

export interface Findings {
  acknowledged: number
  /** Acknowledged rows that are missing, and likes whose state is wrong. */
  lost: string[]
  /** Actions that created more than one row. */
  duplicated: string[]
  /** Rows that exist although their request was not acknowledged. This is allowed. */
  unacknowledged: number
}

const KINDS: readonly Kind[] = ['comments', 'messages', 'posts']

/** Compares the database with the journal. Call it only while the writers are paused. */
export async function compare(url: string, { acts, likes, acknowledgedLikes }: Journal) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const findings: Findings = {
    acknowledged: acts.filter((act) => act.isAcknowledged).length + acknowledgedLikes,
    lost: [],
    duplicated: [],
    unacknowledged: 0,
  }
  try {
    for (const kind of KINDS) {
      const text = `select body, count(*)::int as times from ${kind} group by body`
      const { rows } = await client.query<{ body: string; times: number }>(text)
      const times = new Map(rows.map((row) => [row.body, row.times]))
      for (const { body, isAcknowledged } of acts.filter((act) => act.kind === kind)) {
        const found = times.get(body) ?? 0
        if (found === 0 && isAcknowledged) findings.lost.push(`${kind} ${body}`)
        if (found > 1) findings.duplicated.push(`${kind} ${body}`)
        if (found === 1 && !isAcknowledged) findings.unacknowledged++
      }
    }
    const { rows } = await client.query<{ content_id: string; user_id: string }>(
      'select content_id, user_id from likes',
    )
    const stored = new Set(rows.map((row) => `${row.content_id} ${row.user_id}`))
    for (const [key, { isLiked }] of likes) {
      if (isLiked === undefined) throw new Error('a like is still in progress')
      if (isLiked !== stored.has(key)) findings.lost.push(`likes ${key} ${isLiked}`)
    }
  } finally {
    await client.end()
  }
  return findings
}
