import { PartLost } from '../device/connected.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing } from '../session/plaza.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { NotFound } from './NotFound.tsx'
import { texts } from './texts.ts'
import { Unloaded } from './Unloaded.tsx'

/**
 * Error page. Shows the 404 page for missing objects, and a reload page when the client's files could not
 * load.
 */
export function Failed({ error, reset }: { error: unknown; reset?: () => void }) {
  const t = useTexts(texts)
  if (isMissing(error)) return <NotFound error={error} />
  if (error instanceof PartLost) return <Unloaded error={error} />
  return (
    <Page title={t.broken} width="reading">
      <Problem error={error} retry={reset} />
    </Page>
  )
}
