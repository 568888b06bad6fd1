/** The forms of checks: SQL that finds where what is stored twice differs. */

export interface Check {
  /** What is stored. */
  name: string
  /** Selects as `id` what is stored wrongly: nothing, always. */
  sql: string
}

/** A stored count against the rows it counts; `rows` selects the key of each as `owner`. */
export function counted(column: string, table: string, key: string, rows: string): Check {
  return {
    name: `${table}.${column}`,
    sql: `select stored.${key} as id from ${table} as stored
      left join (select owner, count(*) as n from (${rows}) as listed group by owner) as counted
        on counted.owner = stored.${key}
      where stored.${column} <> coalesce(counted.n, 0)`,
  }
}

/** The id of the last row of a list, which only appends. */
export function last(column: string, table: string, key: string, rows: string): Check {
  return {
    name: `${table}.${column}`,
    sql: `select stored.${key} as id from ${table} as stored
      left join (select owner, max(id) as id from (${rows}) as listed group by owner) as latest
        on latest.owner = stored.${key}
      where stored.${column} is distinct from latest.id`,
  }
}

/** One row of `table` for each row of another, told by the same id. */
export function paired(table: string, key: string, other: string): Check {
  return {
    name: `${table}: one for each of ${other}`,
    sql: `select owner.id from ${other} as owner
      left join ${table} as stored on stored.${key} = owner.id where stored.${key} is null`,
  }
}
