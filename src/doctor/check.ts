export interface Check {
  name: string
  /** Selects the `id` of each wrong row. */
  sql: string
}

/**
 * Returns a check that compares each counter in `column` with the number of rows that it counts. `rows` selects for
 * each of these rows, as `owner`, the value of `key` whose counter includes the row.
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

/**
 * Returns a check that `column` of each row in `table` is the greatest id of the rows that belong to this row. `rows`
 * selects the `id` of each of these rows and, as `owner`, the value of `key` to which it belongs.
 */
export function last(column: string, table: string, key: string, rows: string): Check {
  return {
    name: `${table}.${column}`,
    sql: `select stored.${key} as id from ${table} as stored
      left join (select owner, max(id) as id from (${rows}) as listed group by owner) as latest
        on latest.owner = stored.${key}
      where stored.${column} is distinct from latest.id`,
  }
}

/** Returns a check that finds rows of the table `owners` whose `id` is missing in the column `key` of `table`. */
export function paired(table: string, key: string, owners: string): Check {
  return {
    name: `${table}: one row for each of ${owners}`,
    sql: `select owner.id from ${owners} as owner
      left join ${table} as stored on stored.${key} = owner.id where stored.${key} is null`,
  }
}
