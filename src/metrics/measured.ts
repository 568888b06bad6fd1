import { type Db, DatabaseFull, DatabaseUnavailable } from '../db/handle.ts'
import { FileMissing, type Store } from '../storage/store.ts'
import type { Metrics } from './metrics.ts'

/** Returns a database that measures its operations. A transaction counts as one operation. */
export function measuredDb(db: Db, metrics: Metrics): Db {
  const part = 'database'
  const isFailure = (error: unknown) =>
    error instanceof DatabaseUnavailable || error instanceof DatabaseFull
  const time = <T>(operation: string, run: () => Promise<T>) =>
    metrics.time({ part, operation, isFailure }, run)
  return {
    ...db,
    all: (statement, params) => time('read', () => db.all(statement, params)),
    first: (statement, params) => time('read', () => db.first(statement, params)),
    run: (statement, params) => time('write', () => db.run(statement, params)),
    transaction: (action) => time('transaction', () => db.transaction(action)),
  }
}

/** Returns a store that measures `put`, `find`, `open`, `read` and removals. Measures streams only until they open. */
export function measuredStore(store: Store, metrics: Metrics): Store {
  const part = 'storage'
  const isFailure = (error: unknown) => !(error instanceof FileMissing)
  const time = <T>(operation: string, run: () => Promise<T>) =>
    metrics.time({ part, operation, isFailure }, run)
  return {
    put: (path, localFile, mimeType) => time('put', () => store.put(path, localFile, mimeType)),
    find: (path) => time('find', () => store.find(path)),
    open: (path) => time('open', () => store.open(path)),
    read: (path, range) => time('read', () => store.read(path, range)),
    withLocalFile: (path, use) => store.withLocalFile(path, use),
    remove: (path) => time('remove', () => store.remove(path)),
    removeOlder: (path, before) => time('remove', () => store.removeOlder(path, before)),
    list: (prefix) => store.list(prefix),
    isHealthy: () => store.isHealthy(),
    findSpace: () => store.findSpace(),
    close: () => store.close(),
  }
}
