/** Builds checks: SQL queries that find rows where stored values differ from their source. */

export interface Check {
  /** The stored value that the check covers. */
  name: string
  /** Selects the `id` of each wrong row. Always selects nothing in a healthy database. */
  sql: string
}

/**
 * Compares a stored counter with the rows it counts. `rows` selects the key of each counted row as `owner`.
 */
export function counted(column: string, table: string, key: string, rows: string): Check {
  return {
    name: `${table}.${column}`,
    sql: `select stored.${key} as id from ${table} as stored
      left join (select owner, count(*) as n from (${rows}) as listed group by owner) as counted
        on counted.owner = stored.${key}
      where stored.${column} <> coalesce(counted.n, 0)`,
  }
}

/** Compares a stored last id with the rows. `rows` selects the key as `owner`, and `id`. */
export function last(column: string, table: string, key: string, rows: string): Check {
  return {
    name: `${table}.${column}`,
    sql: `select stored.${key} as id from ${table} as stored
      left join (select owner, max(id) as id from (${rows}) as listed group by owner) as latest
        on latest.owner = stored.${key}
      where stored.${column} is distinct from latest.id`,
  }
}

/** Finds rows of `other` without a row of `table`. */
export function paired(table: string, key: string, other: string): Check {
  return {
    name: `${table}: one row for each of ${other}`,
    sql: `select owner.id from ${other} as owner
      left join ${table} as stored on stored.${key} = owner.id where stored.${key} is null`,
  }
}
