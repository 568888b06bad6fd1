import { PlazaError } from '#sdk'

/** The server's error messages by field, where the field is the first part of its path. */
export function fieldErrorsOf(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof PlazaError)) return {}
  const errors: Partial<Record<string, string>> = {}
  for (const { field, message } of error.details) {
    errors[field.split('.', 1)[0] ?? field] ??= message
  }
  return errors
}

/** Returns the error to show for the whole form, or null if one of its fields shows it. */
export function restOf(error: unknown, fields: readonly string[]): unknown {
  const errors = fieldErrorsOf(error)
  return fields.some((field) => errors[field] !== undefined) ? null : error
}
