import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Overlay } from '../contents/Overlay.tsx'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import styles from './Player.module.css'
import { keepSaves, savesOf } from './saves.ts'
import { texts } from './texts.ts'

/** After this long without its page, something is wrong. */
const SLOW_MS = 15_000
/**
 * As the games origin sandboxes every game itself (src/games/headers.ts). The frame says so too, since
 * browsers give what `allow` names to a frame without an origin only where they know before that it has none.
 */
const SANDBOX = 'allow-scripts allow-pointer-lock allow-orientation-lock'
const FEATURES = 'fullscreen; autoplay; gamepad; cross-origin-isolated'

interface Props {
  gameId: string
  title: string
  launchUrl: string
  onAgain: () => void
  /** Told whether keys go to the game. */
  onFocus: (hasFocus: boolean) => void
}

/** The frame in which a game runs, and what is said while it is on its way. */
export function Frame({ gameId, title, launchUrl, onAgain, onFocus }: Props) {
  const t = useTexts(texts)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setIsLoaded] = useState(false)
  const isSlow = useIsLate(isLoaded)
  // What the game saved is its frame's name from the beginning; later saves must not change that.
  const [saves] = useState(() => savesOf(gameId))
  useSaves(gameId, frame)
  useFrameFocus(frame, onFocus)
  return (
    <>
      <iframe
        ref={frame}
        className={styles.frame}
        title={t.gameOf(title)}
        name={saves}
        sandbox={SANDBOX}
        allow={FEATURES}
        src={launchUrl}
        onLoad={() => {
          setIsLoaded(true)
          // Keys reach the game at once.
          frame.current?.focus()
        }}
      />
      {!isLoaded && (
        <Overlay hides role="status">
          {isSlow ? (
            <>
              <p className={styles.strong}>{t.slow}</p>
              <p>{t.slowHelp}</p>
              <Button className={styles.again ?? ''} onClick={onAgain}>
                {t.again}
              </Button>
            </>
          ) : (
            <p className={styles.loading}>
              <Spinner />
              {t.loading}
            </p>
          )}
        </Overlay>
      )}
    </>
  )
}

function useIsLate(isLoaded: boolean): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (isLoaded) return undefined
    const timer = setTimeout(() => setIsLate(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [isLoaded])
  return isLate && !isLoaded
}

/** Keeps what this game saves; what other windows say is passed over. */
function useSaves(gameId: string, frame: { current: HTMLIFrameElement | null }): void {
  useEffect(() => {
    const take = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== null && source === frame.current?.contentWindow) keepSaves(gameId, data)
    }
    addEventListener('message', take)
    return () => removeEventListener('message', take)
  }, [gameId, frame])
}

/** Nothing tells that a frame has the focus but that the window around it lost it to it. */
function useFrameFocus(
  frame: { current: HTMLIFrameElement | null },
  onFocus: (hasFocus: boolean) => void,
): void {
  const tell = useEffectEvent(() =>
    onFocus(frame.current !== null && document.activeElement === frame.current),
  )
  useEffect(() => {
    const look = () => tell()
    addEventListener('blur', look)
    addEventListener('focus', look)
    document.addEventListener('focusin', look)
    return () => {
      removeEventListener('blur', look)
      removeEventListener('focus', look)
      document.removeEventListener('focusin', look)
    }
  }, [])
}
