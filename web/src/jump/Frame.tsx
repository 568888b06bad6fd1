import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Overlay } from '../contents/stage.tsx'
import { useTexts } from '../language/texts.ts'
import { Button, Spinner } from '../ui/Button.tsx'
import styles from './Player.module.css'
import { keepSaves, savesOf } from './saves.ts'
import { texts } from './texts.ts'

const SLOW_MS = 15_000
/**
 * Sandbox of the frame, as in the game's response headers (src/games/headers.ts). Some browsers apply `allow` to an
 * opaque origin only when the frame declares the sandbox.
 */
const SANDBOX = 'allow-scripts allow-pointer-lock allow-orientation-lock'
/** `allow` attribute of the frame: browser features that the game may use. */
const FEATURES = 'fullscreen; autoplay; gamepad; cross-origin-isolated'

interface Props {
  gameId: string
  runtime: string
  title: string
  launchUrl: string
  onAgain: () => void
  onFocus: (hasFocus: boolean) => void
}

export function Frame({ gameId, runtime, title, launchUrl, onAgain, onFocus }: Props) {
  const t = useTexts(texts)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isStarted, setIsStarted] = useState(false)
  const isSlow = useIsLate(isStarted)
  // Reads the saves only once, because the frame's name contains them and must not change.
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
          // Flash films load after the page. Ruffle's first message reports the film's start.
          if (runtime !== 'swf') setIsStarted(true)
          // Focuses the frame, so that the game receives keys immediately.
          frame.current?.focus()
        }}
      />
      {!isStarted && (
        <Overlay hides role="status">
          {isSlow ? (
            <>
              <p className="strong">{t.slow}</p>
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

/**
 * Calls `onFocus` when the frame gains or loses the focus. Uses the window's events, because browsers fire no
 * focus event for a frame.
 */
function useFrameFocus(
  frame: { current: HTMLIFrameElement | null },
  onFocus: (hasFocus: boolean) => void,
): void {
  const report = useEffectEvent(() =>
    onFocus(frame.current !== null && document.activeElement === frame.current),
  )
  useEffect(() => {
    const look = () => report()
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
