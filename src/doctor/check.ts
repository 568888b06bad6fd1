export interface Check {
  name: string
  /** Selects the `id` of each wrong row. */
  sql: string
}

/**
 * Returns a check that compares each counter in `column` of `table` with the number of rows that it counts. `rows` is a
 * query with one result for each counted row. Its column `owner` contains the `key` of the counter.
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
 * is a query for the `id` of all such rows. Its column `owner` contains the `key` of the row to which they belong.
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
