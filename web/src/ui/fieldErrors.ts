import { PlazaError } from '#sdk'

/** Returns the server's error messages by field. The first part of an error's path names the field. */
export function fieldErrorsOf(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof PlazaError)) return {}
  const errors: Partial<Record<string, string>> = {}
  for (const { field, message } of error.details) {
    errors[field.split('.', 1)[0] ?? field] ??= message
  }
  return errors
}

/** Returns the error if the form must show it, or null if one of the given fields shows it. */
export function restOf(error: unknown, fields: readonly string[]): unknown {
  const errors = fieldErrorsOf(error)
  return fields.some((field) => errors[field] !== undefined) ? null : error
}
