import { useEffect, useState } from 'react'
import { PlazaError } from '#sdk'
import { keep, load } from '../device/kept.ts'
import { useTexts } from '../language/texts.ts'
import { isServerThere } from '../session/plaza.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { texts } from './texts.ts'

/** Of this tab: for which client everything was loaded anew. */
const RENEWED = 'plaza.renewed'

/**
 * In place of a page whose files did not come. Where the server is there, it has another client by now,
 * which is loaded, once; where it is not, loading anew would leave nothing but the browser's own page.
 */
export function Unloaded({ error }: { error: Error }) {
  const t = useTexts(texts)
  const [problem, setProblem] = useState<{ error: Error; tries: number }>()
  useEffect(() => {
    let isOver = false
    void isServerThere().then((isThere) => {
      if (isOver || (isThere && renewOnce())) return
      setProblem({ error: isThere ? error : unanswered(), tries: 0 })
    })
    return () => {
      isOver = true
    }
  }, [error])
  if (!problem) return null
  const retry = async () => {
    if (await isServerThere()) location.reload()
    // Told again, to those who listen.
    else setProblem({ error: unanswered(), tries: problem.tries + 1 })
  }
  return (
    <Page title={t.broken} width="reading">
      <Problem key={problem.tries} error={problem.error} retry={() => void retry()} />
    </Page>
  )
}

/** False where this client was loaded for that reason already, or nothing can be kept that says so. */
function renewOnce(): boolean {
  const client = import.meta.url
  if (load(RENEWED, 'sessionStorage') === client) return false
  keep(RENEWED, client, 'sessionStorage')
  if (load(RENEWED, 'sessionStorage') !== client) return false
  location.reload()
  return true
}

function unanswered(): Error {
  return new PlazaError('NETWORK', 'The files of a page did not come.')
}
