import { useCallback, useEffect, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import { plaza } from '../session/plaza.ts'

type Proof =
  | { state: 'idle' }
  | { state: 'working'; share: number }
  | { state: 'done' }
  | { state: 'failed'; error: unknown }

/** Age in milliseconds at which a token is replaced. The server accepts tokens for ten minutes. */
const GOOD_MS = 9 * 60_000

export interface ProofOfWork {
  proof: Proof
  /** Starts the computation, unless it is running or done. */
  start: () => void
  /** Resolves to a token. With `isFresh`, computes a new token even if one is ready. */
  token: (isFresh?: boolean) => Promise<string>
}

export function useProof(): ProofOfWork {
  const [proof, setProof] = useState<Proof>({ state: 'idle' })
  const solution = useRef<Promise<string> | undefined>(undefined)
  const leaving = useRef(new AbortController())
  const renewal = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const begin = useCallback((): Promise<string> => {
    clearTimeout(renewal.current)
    const { signal } = leaving.current
    setProof({ state: 'working', share: 0 })
    const working = solve(signal, (share) => setProof({ state: 'working', share }))
    solution.current = working
    working.then(
      () => {
        setProof({ state: 'done' })
        renewal.current = setTimeout(() => {
          solution.current = undefined
          // Does not compute while the page is hidden. Focusing the form restarts the computation.
          if (document.hidden) setProof({ state: 'idle' })
          else void begin()
        }, GOOD_MS)
      },
      (error: unknown) => {
        solution.current = undefined
        if (!signal.aborted) setProof({ state: 'failed', error })
      },
    )
    return working
  }, [])

  useEffect(() => {
    // Creates a new controller, because the first one is aborted if the effect runs again after its cleanup.
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      clearTimeout(renewal.current)
      solution.current = undefined
    }
  }, [])

  const token = useCallback(
    (isFresh = false) => (isFresh ? begin() : (solution.current ?? begin())),
    [begin],
  )
  const start = useCallback(() => {
    // Ignores the rejection, because `proof` contains the error.
    if (!solution.current) begin().catch(() => undefined)
  }, [begin])
  return { proof, start, token }
}

/** Returns a captcha token. Retries once with a new challenge, because the first may expire on a slow device. */
async function solve(signal: AbortSignal, onProgress: (share: number) => void): Promise<string> {
  try {
    return await plaza.solveCaptcha({ onProgress, signal })
  } catch (error) {
    if (!isPlazaError(error, 'CAPTCHA_INVALID')) throw error
    return plaza.solveCaptcha({ onProgress, signal })
  }
}
