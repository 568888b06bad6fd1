/** The proof of work that opening an account costs. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import { plaza } from '../session/plaza.ts'

type Proof =
  | { state: 'idle' }
  | { state: 'working'; share: number }
  | { state: 'done' }
  | { state: 'failed'; error: unknown }

/** A token is good for ten minutes; it is renewed before they are over. */
const GOOD_MS = 9 * 60_000

export interface ProofOfWork {
  proof: Proof
  /** Begins, unless it is under way or done. */
  start: () => void
  /** What the work gives. With `anew`, not the one there was. */
  token: (anew?: boolean) => Promise<string>
}

export function useProof(): ProofOfWork {
  const [proof, setProof] = useState<Proof>({ state: 'idle' })
  const work = useRef<Promise<string> | undefined>(undefined)
  const leaving = useRef(new AbortController())
  const renewal = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const begin = useCallback((): Promise<string> => {
    clearTimeout(renewal.current)
    const { signal } = leaving.current
    setProof({ state: 'working', share: 0 })
    const working = solve(signal, (share) => setProof({ state: 'working', share }))
    work.current = working
    working.then(
      () => {
        setProof({ state: 'done' })
        renewal.current = setTimeout(() => {
          work.current = undefined
          // Who looks elsewhere is not kept busy: it begins again when they come back to the form.
          if (document.hidden) setProof({ state: 'idle' })
          else void begin()
        }, GOOD_MS)
      },
      (error: unknown) => {
        work.current = undefined
        if (!signal.aborted) setProof({ state: 'failed', error })
      },
    )
    return working
  }, [])

  useEffect(() => {
    // Effects of a page that stays run twice while it is developed.
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      clearTimeout(renewal.current)
      work.current = undefined
    }
  }, [])

  const token = useCallback((anew = false) => (anew ? begin() : (work.current ?? begin())), [begin])
  const start = useCallback(() => {
    // How it ends is in `proof`.
    if (!work.current) begin().catch(() => undefined)
  }, [begin])
  return { proof, start, token }
}

/** On a slow device a challenge may end while it is worked on: then another is asked for. */
async function solve(signal: AbortSignal, onProgress: (share: number) => void): Promise<string> {
  try {
    return await plaza.solveCaptcha({ onProgress, signal })
  } catch (error) {
    if (!isPlazaError(error, 'CAPTCHA_INVALID')) throw error
    return plaza.solveCaptcha({ onProgress, signal })
  }
}
