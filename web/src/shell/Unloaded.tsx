import { useEffect, useState } from 'react'
import { PlazaError } from '#sdk'
import { keep, load } from '../device/storage.ts'
import { useTexts } from '../language/texts.ts'
import { isServerThere } from '../session/plaza.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { texts } from './texts.ts'

/** Storage key, per tab, of the client version that already caused a reload. */
const RENEWED = 'plaza.renewed'

/**
 * Error page for failed downloads of the client. If the server is up, it serves a newer client, so the page
 * reloads once. If it is down, a reload would only show the browser's error page.
 */
export function Unloaded({ error }: { error: Error }) {
  const t = useTexts(texts)
  const [problem, setProblem] = useState<{ error: Error; tries: number }>()
  useEffect(() => {
    let isOver = false
    void isServerThere().then((exists) => {
      if (isOver || (exists && renewOnce())) return
      setProblem({ error: exists ? error : unanswered(), tries: 0 })
    })
    return () => {
      isOver = true
    }
  }, [error])
  if (!problem) return null
  const retry = async () => {
    if (await isServerThere()) location.reload()
    // A new key makes screen readers announce the error again.
    else setProblem({ error: unanswered(), tries: problem.tries + 1 })
  }
  return (
    <Page title={t.broken} width="reading">
      <Problem key={problem.tries} error={problem.error} retry={() => void retry()} />
    </Page>
  )
}

/** Reloads the page. Returns false if this version already did so, or if that cannot be stored. */
function renewOnce(): boolean {
  const client = import.meta.url
  if (load(RENEWED, 'sessionStorage') === client) return false
  keep(RENEWED, client, 'sessionStorage')
  if (load(RENEWED, 'sessionStorage') !== client) return false
  location.reload()
  return true
}

function unanswered(): Error {
  return new PlazaError('NETWORK', 'The files of a page could not be loaded.')
}
