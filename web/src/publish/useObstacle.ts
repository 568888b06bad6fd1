import { useTexts } from '../language/texts.ts'
import type { ContentType } from './kinds.ts'
import { texts } from './texts.ts'
import { type Entry, isUnderWay } from './uploads.ts'
import type { usePublishing } from './usePublishing.ts'
import { FILES_MAX, type Mistakes } from './content.ts'

/** Returns a message if failed files prevent saving. Uploads in progress do not prevent it. */
export function useFilesObstacle(entries: readonly Entry[]): string | undefined {
  const t = useTexts(texts)
  const stuck = entries.filter((entry) => entry.state !== 'done' && !isUnderWay([entry])).length
  return stuck > 0 ? t.stuck(stuck) : undefined
}

export function useObstacle(
  { uploads, thumbnail, misfits, content, mistakes, newer }: ReturnType<typeof usePublishing>,
  type: ContentType,
): string | undefined {
  const t = useTexts(texts)
  const files = useFilesObstacle([...uploads.entries, ...thumbnail.entries])
  if (newer && newer.status !== 'draft') return t.publishedElsewhere
  if (Object.keys(mistakes).length > 0) return t.lookAtFields
  if (misfits.size > 0) return t.misfits
  if (uploads.entries.length > FILES_MAX) return t.tooManyFiles(FILES_MAX)
  if (type === 'article' && !content.body.trim() && uploads.entries.length === 0)
    return t.nothingYet
  return files
}

export function useWords(mistakes: Mistakes): Partial<Record<string, string>> {
  const t = useTexts(texts)
  return Object.fromEntries(
    Object.entries(mistakes).map(([field, mistake]) => [field, t.mistakes[mistake]]),
  )
}
