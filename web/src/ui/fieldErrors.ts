/** What the server says of single fields of a form. */
import { PlazaError } from '#sdk'

/** What the server says of each field, to stand beside it: by the first part of the field's path. */
export function fieldErrorsOf(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof PlazaError)) return {}
  const errors: Partial<Record<string, string>> = {}
  for (const { field, message } of error.details) {
    errors[field.split('.', 1)[0] ?? field] ??= message
  }
  return errors
}

/** An error to be told beside the form: null where one of its fields tells of it. */
export function restOf(error: unknown, fields: readonly string[]): unknown {
  const errors = fieldErrorsOf(error)
  return fields.some((field) => errors[field] !== undefined) ? null : error
}
