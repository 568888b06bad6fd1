import { Maximize, Minimize, Play, RotateCcw, RotateCw } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import type { ContentDetail } from '#sdk'
import { Thumbnail } from '../contents/Card.tsx'
import { Overlay, TheatreButton } from '../contents/stage.tsx'
import { useMatches } from '../device/viewing.ts'
import { useTexts } from '../language/texts.ts'
import { Button, IconButton, Spinner } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Frame } from './Frame.tsx'
import styles from './Player.module.css'
import { type Obstacle, obstacleOf, runtimeName, usePlay } from './queries.ts'
import { texts } from './texts.ts'

export function GamePlayer({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const stage = useRef<HTMLDivElement>(null)
  const playing = usePlay(content.id)
  const { isFull, toggle } = useFullScreen(stage)
  const [hasFocus, setHasFocus] = useState(false)
  const { game, title } = content
  const obstacle = obstacleOf(game)
  useScreenTurn(isFull, game?.orientation)
  useKeysOnTurn(isFull, stage)
  return (
    <section className={styles.player} aria-label={t.gameOf(title)}>
      <div ref={stage} className={styles.stage} data-orientation={game?.orientation ?? 'any'}>
        <Staged {...{ content, playing, obstacle }} onFocus={setHasFocus} />
        {isFull && (
          <IconButton
            className={styles.leave}
            icon={<Minimize />}
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

function Bar({ play, isStarting, again, hasFocus, orientation, onFullScreen }: BarProps) {
  const t = useTexts(texts)
  return (
    <div className={styles.bar}>
      <p className={styles.hint} aria-live="polite">
        {play ? (hasFocus ? t.keysInside : t.keysOutside) : t.startHint}
      </p>
      <IconButton
        icon={<RotateCcw />}
        label={t.reload}
        disabled={!play || isStarting}
        onClick={again}
      />
      <TheatreButton />
      {document.fullscreenEnabled && (
        <IconButton
          icon={<Maximize />}
          label={t.fullScreen}
          disabled={!play}
          onClick={onFullScreen}
        />
      )}
      <TurnHint orientation={orientation} />
    </div>
  )
}

/** Focuses the game after the change to or from full screen, because the pressed button disappears. */
function useKeysOnTurn(isFull: boolean, stage: RefObject<HTMLElement | null>): void {
  const was = useRef(isFull)
  useEffect(() => {
    if (was.current === isFull) return
    was.current = isFull
    stage.current?.querySelector('iframe')?.focus()
  }, [isFull, stage])
}

type Turnable = ScreenOrientation & { lock?: (to: string) => Promise<void> }

function useScreenTurn(isFull: boolean, orientation: string | null | undefined): void {
  useEffect(() => {
    if (!isFull || (orientation !== 'landscape' && orientation !== 'portrait')) return undefined
    const screenTurn = screen.orientation as Turnable
    // Ignores the rejection by devices that cannot rotate.
    screenTurn.lock?.(orientation).catch(() => {})
    return () => screenTurn.unlock()
  }, [isFull, orientation])
}

/** Media query for phones and small tablets. */
const HELD = '(pointer: coarse) and (max-width: 1024px)'

function TurnHint({ orientation }: { orientation: string | null | undefined }) {
  const t = useTexts(texts)
  const isUpright = useMatches(`${HELD} and (orientation: portrait)`)
  const isSideways = useMatches(`${HELD} and (orientation: landscape)`)
  const current = isUpright ? 'portrait' : isSideways ? 'landscape' : undefined
  const wants = orientation === 'landscape' || orientation === 'portrait' ? orientation : current
  if (current === undefined || wants === current) return null
  return (
    <p className={styles.turn}>
      <RotateCw />
      {wants === 'landscape' ? t.turnLandscape : t.turnPortrait}
    </p>
  )
}

type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

function useFullScreen(box: RefObject<HTMLElement | null>) {
  const isFull = useSyncExternalStore(
    subscribe,
    () => document.fullscreenElement !== null && document.fullscreenElement === box.current,
  )
  const toggle = () => {
    if (isFull) void document.exitFullscreen()
    else if (box.current?.requestFullscreen) void box.current.requestFullscreen().catch(() => {})
    else {
      // On an iPhone only a video element can fill the screen. The phone then shows its own controls.
      const video = box.current?.querySelector<PhoneVideo>('video')
      video?.webkitEnterFullscreen?.()
    }
  }
  return { isFull, toggle }
}

interface PosterProps {
  content: ContentDetail
  obstacle: Obstacle | undefined
  isStarting: boolean
  onPlay: () => void
}

function Poster({ content, obstacle, isStarting, onPlay }: PosterProps) {
  const t = useTexts(texts)
  const { title, thumbnail_url, game } = content
  return (
    <>
      {thumbnail_url && (
        <Thumbnail
          content={content}
          shape="stage"
          width="min(100vw, 60rem)"
          isFirst
          corner={false}
        />
      )}
      {obstacle ? (
        <Overlay hides>
          <p className="strong">{t[obstacle]}</p>
          <p>{t[`${obstacle}Help`]}</p>
        </Overlay>
      ) : (
        <Overlay>
          <Button
            look="primary"
            className={styles.play ?? ''}
            icon={isStarting ? <Spinner /> : <Play />}
            aria-label={t.playGame(title)}
            aria-busy={isStarting || undefined}
            onClick={() => !isStarting && onPlay()}
          >
            {t.play}
          </Button>
          <span className={styles.runtime}>{runtimeName(game?.runtime)}</span>
        </Overlay>
      )}
    </>
  )
}

export function HowTo({ controls }: { controls: unknown }) {
  const t = useTexts(texts)
  const id = useId()
  const lines = controlLines(controls)
  if (lines.length === 0) return null
  return (
    <div className={styles.howTo}>
      <h2 id={id}>{t.howTo}</h2>
      <ul className="cluster" aria-labelledby={id}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the controls of a game as lines. The API returns them as a text, a list of texts, or null. */
function controlLines(controls: unknown): string[] {
  const lines = Array.isArray(controls) ? (controls as unknown[]) : [controls]
  return lines.filter((line): line is string => typeof line === 'string' && line.trim() !== '')
}
