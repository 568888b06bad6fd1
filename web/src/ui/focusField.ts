import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the form field with this name. */
export function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}

/**
 * Returns a ref for a form. After a rejected submission, focuses the first invalid field and scrolls it into
 * view.
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
