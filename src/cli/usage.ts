/** The command was called wrongly: one line says how. */
export class UsageError extends Error {
  override name = 'UsageError'
}
