import { type RefObject, useEffect, useRef } from 'react'

/** Puts the cursor into a field of a form, by its name. */
export function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}

/**
 * For a form: once it was refused, by the server or at a try before it is sent, the cursor goes to the
 * first field that says what is wrong. In a long one that is out of sight otherwise.
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
