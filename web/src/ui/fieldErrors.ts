import { PlazaError } from '#sdk'
import { type RefObject, useEffect, useRef } from 'react'

/** Returns the first error message of each field. The first part of an error's path names the field. */
export function fieldErrorsOf(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof PlazaError)) return {}
  const errors: Partial<Record<string, string>> = {}
  for (const { field, message } of error.details) {
    errors[field.split('.', 1)[0] ?? field] ??= message
  }
  return errors
}

/** Returns the error if the form must show it, or null if one of the given fields already shows the error. */
export function restOf(error: unknown, fields: readonly string[]): unknown {
  const errors = fieldErrorsOf(error)
  return fields.some((field) => errors[field] !== undefined) ? null : error
}

export function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}

/**
 * Returns a ref for a form. Focuses the form's first invalid field after each rejected submission. `tries` counts the
 * submissions that the form itself rejected.
 */
export function useWrongField(error: unknown, tries = 0): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error || tries > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
  }, [error, tries])
  return form
}
