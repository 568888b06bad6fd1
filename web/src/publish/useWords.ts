import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'
import type { Mistakes } from './content.ts'

/** Returns the error messages by field. */
export function useWords(mistakes: Mistakes): Partial<Record<string, string>> {
  const t = useTexts(texts)
  return Object.fromEntries(
    Object.entries(mistakes).map(([field, mistake]) => [field, t.mistakes[mistake]]),
  )
}
