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
  runtime: string
  title: string
  launchUrl: string
  onAgain: () => void
  /** Told whether keys go to the game. */
  onFocus: (hasFocus: boolean) => void
}

/** The frame in which a game runs, and what is said while it is on its way. */
export function Frame({ gameId, runtime, title, launchUrl, onAgain, onFocus }: Props) {
  const t = useTexts(texts)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isStarted, setIsStarted] = useState(false)
  const isSlow = useIsLate(isStarted)
  // What the game saved is its frame's name from the beginning; later saves must not change that.
  const [saves] = useState(() => savesOf(gameId))
  useMessages(frame, (message) => {
    if ((message as { started?: unknown } | null)?.started === true) setIsStarted(true)
    else keepSaves(gameId, message)
  })
  useFrameFocus(frame, onFocus)
  return (
    <>
      <iframe
        ref={frame}
        className={styles.frame}
        data-starting={!isStarted || undefined}
        title={t.gameOf(title)}
        name={saves}
        sandbox={SANDBOX}
        allow={FEATURES}
        src={launchUrl}
        onLoad={() => {
          // Ruffle starts after its page has loaded, and reports the first frame of the film itself.
          if (runtime !== 'swf') setIsStarted(true)
          // Keys reach the game at once.
          frame.current?.focus()
        }}
      />
      {!isStarted && (
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

function useIsLate(isStarted: boolean): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (isStarted) return undefined
    const timer = setTimeout(() => setIsLate(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [isStarted])
  return isLate && !isStarted
}

/** Passes on what the game's frame sends; messages of other windows are ignored. */
function useMessages(
  frame: { current: HTMLIFrameElement | null },
  onMessage: (message: unknown) => void,
): void {
  const take = useEffectEvent(onMessage)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== null && source === frame.current?.contentWindow) take(data)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [frame])
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
