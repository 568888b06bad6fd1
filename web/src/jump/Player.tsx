import { Maximize, Minimize, RotateCcw } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ContentDetail } from '#sdk'
import { useFullScreen } from './fullScreen.ts'
import { useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Frame } from './Frame.tsx'
import { HowTo } from './HowTo.tsx'
import styles from './Player.module.css'
import { Poster } from './Poster.tsx'
import { type Obstacle, obstacleOf } from './runtime.ts'
import { TurnHint } from './TurnHint.tsx'
import { texts } from './texts.ts'
import { usePlay } from './usePlay.ts'

/**
 * Shows a game's poster with a Play button, or with the reason why the browser cannot run the game. After a
 * click, shows the game in a frame. The game's controls are below.
 */
export function GamePlayer({ content }: { content: ContentDetail }) {
  // Each game has its own key, so that the player's state resets.
  return <Player key={content.id} content={content} />
}

function Player({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const stage = useRef<HTMLDivElement>(null)
  const playing = usePlay(content.id)
  const { isFull, toggle } = useFullScreen(stage)
  const [hasFocus, setHasFocus] = useState(false)
  const { game, title } = content
  const obstacle = obstacleOf(game)
  useScreenTurn(isFull, game?.orientation)
  useKeysOnTurn(isFull, stage)
  useComeIntoView(stage, playing.opened)
  return (
    <section className={styles.player} aria-label={t.gameOf(title)}>
      <div
        ref={stage}
        className={styles.stage}
        data-orientation={game?.orientation ?? 'any'}
        data-playing={playing.play !== undefined || undefined}
      >
        <Staged {...{ content, playing, obstacle }} onFocus={setHasFocus} />
        {isFull && (
          <IconButton
            className={styles.leave}
            icon={<Minimize aria-hidden="true" />}
            label={t.leaveFullScreen}
            onClick={toggle}
          />
        )}
      </div>
      {playing.error && !playing.isStarting && (
        <Problem error={playing.error} retry={playing.start} />
      )}
      {!obstacle && (
        <Bar
          {...playing}
          hasFocus={hasFocus}
          orientation={game?.orientation}
          onFullScreen={toggle}
        />
      )}
      <HowTo controls={game?.controls} />
    </section>
  )
}

interface StagedProps {
  content: ContentDetail
  playing: ReturnType<typeof usePlay>
  obstacle: Obstacle | undefined
  onFocus: (hasFocus: boolean) => void
}

function Staged({ content, playing, obstacle, onFocus }: StagedProps) {
  const { play, opened, isStarting, start, again } = playing
  if (!play) return <Poster {...{ content, obstacle, isStarting }} onPlay={start} />
  return (
    <Frame
      key={opened}
      gameId={content.id}
      runtime={play.runtime}
      title={content.title}
      launchUrl={play.launch_url}
      onAgain={again}
      onFocus={onFocus}
    />
  )
}

interface BarProps extends Pick<ReturnType<typeof usePlay>, 'play' | 'isStarting' | 'again'> {
  hasFocus: boolean
  orientation: string | null | undefined
  onFullScreen: () => void
}

/** Bar below the game: keyboard hint, restart and full screen. */
function Bar({ play, isStarting, again, hasFocus, orientation, onFullScreen }: BarProps) {
  const t = useTexts(texts)
  return (
    <div className={styles.bar}>
      <p className={styles.hint} aria-live="polite">
        {play ? (hasFocus ? t.keysInside : t.keysOutside) : t.startHint}
      </p>
      <IconButton
        icon={<RotateCcw aria-hidden="true" />}
        label={t.reload}
        disabled={!play || isStarting}
        onClick={again}
      />
      {document.fullscreenEnabled && (
        <IconButton
          icon={<Maximize aria-hidden="true" />}
          label={t.fullScreen}
          disabled={!play}
          onClick={onFullScreen}
        />
      )}
      <TurnHint orientation={orientation} />
    </div>
  )
}

/** Scrolls the game into view, because it can be larger than its poster. */
function useComeIntoView(stage: RefObject<HTMLElement | null>, opened: number): void {
  useEffect(() => {
    if (opened > 0) stage.current?.scrollIntoView({ block: 'nearest' })
  }, [stage, opened])
}

/** Focuses the game after entering or leaving full screen, because the pressed button disappears. */
function useKeysOnTurn(isFull: boolean, stage: RefObject<HTMLElement | null>): void {
  const was = useRef(isFull)
  useEffect(() => {
    if (was.current === isFull) return
    was.current = isFull
    stage.current?.querySelector('iframe')?.focus()
  }, [isFull, stage])
}

type Turnable = ScreenOrientation & { lock?: (to: string) => Promise<void> }

/** Locks a device's orientation to the game's while the game fills the screen. */
function useScreenTurn(isFull: boolean, orientation: string | null | undefined): void {
  useEffect(() => {
    if (!isFull || (orientation !== 'landscape' && orientation !== 'portrait')) return undefined
    const screenTurn = screen.orientation as Turnable
    // Devices that cannot rotate reject the lock.
    screenTurn.lock?.(orientation).catch(() => {})
    return () => screenTurn.unlock()
  }, [isFull, orientation])
}
