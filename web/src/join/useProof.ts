/** Proof of work required for registration. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import { plaza } from '../session/plaza.ts'

type Proof =
  | { state: 'idle' }
  | { state: 'working'; share: number }
  | { state: 'done' }
  | { state: 'failed'; error: unknown }

/** Tokens are valid for ten minutes and are renewed before they expire. */
const GOOD_MS = 9 * 60_000

export interface ProofOfWork {
  proof: Proof
  /** Starts the computation unless it is running or done. */
  start: () => void
  /** Resolves to a token. With `isFresh`, always computes a new one. */
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
          // A hidden page does not compute. It starts again when the user returns to the form.
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
    // Strict mode runs effects twice during development.
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
    // `proof` reports the outcome.
    if (!solution.current) begin().catch(() => undefined)
  }, [begin])
  return { proof, start, token }
}

/**
 * On a slow device the challenge may expire during the computation, so it retries once with a new challenge.
 */
async function solve(signal: AbortSignal, onProgress: (share: number) => void): Promise<string> {
  try {
    return await plaza.solveCaptcha({ onProgress, signal })
  } catch (error) {
    if (!isPlazaError(error, 'CAPTCHA_INVALID')) throw error
    return plaza.solveCaptcha({ onProgress, signal })
  }
}
