import { Play, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Content } from '#sdk'
import { useBackCloses } from '../../device/history.ts'
import { useLangOf } from '../../language/look.ts'
import { useTexts } from '../../language/texts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { KeyList } from '../../ui/KeyList.tsx'
import { Thumbnail } from '../Card.tsx'
import { isTyping } from '../keys.ts'
import { useIsVeiled } from '../stage.tsx'
import { usePlayer } from './behaviour.ts'
import styles from './controls.module.css'
import { texts } from './texts.ts'

interface KeyHelpProps {
  usesKeys: boolean
  use: (usesKeys: boolean) => void
  close: () => void
  hasCaptions: boolean
  isVideo: boolean
}

/** List of the player's keyboard shortcuts. It is rendered inside the player, so that full screen shows it. */
export function KeyHelp({ usesKeys, use, close, hasCaptions, isVideo }: KeyHelpProps) {
  const t = useTexts(texts)
  const head = useRef<HTMLDivElement>(null)
  const { requestControlsLock } = usePlayer()
  useBackCloses(true, close)
  useEffect(() => requestControlsLock(), [requestControlsLock])
  useEffect(() => {
    const before = document.activeElement
    head.current?.querySelector('button')?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  const names = t.keyList
  const ofVideo: [string, string[]][] = [
    [names.theatre, ['T']],
    [t.fullScreen, ['F']],
  ]
  const rows: [string, string[]][] = [
    [names.play, [t.space, 'K']],
    [names.skip, ['J', 'L']],
    [names.step, ['←', '→']],
    [names.mute, ['M']],
    ...(isVideo ? ofVideo : []),
    ...(hasCaptions ? [[names.captions, ['C']] as [string, string[]]] : []),
    [names.help, ['?']],
  ]
  return (
    <div
      className={styles.keys}
      role="dialog"
      data-interactive
      aria-label={t.keys}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <div className={styles.head} ref={head}>
        <span className={styles.helpTitle}>{t.keys}</span>
        <IconButton icon={<X />} label={t.close} onClick={close} />
      </div>
      <KeyList rows={rows} />
      <Checkbox
        label={t.useKeys}
        checked={usesKeys}
        onChange={({ target }) => use(target.checked)}
      />
    </div>
  )
}

const COUNT_S = 8

interface UpNextProps {
  content: Content
  /** True to call `onNext` after a countdown. False to call it only when the viewer presses the button. */
  autoplays: boolean
  onNext: () => void
}

/** Card that offers the next video when a video has ended. */
export function UpNext({ content, autoplays, onNext }: UpNextProps) {
  const t = useTexts(texts)
  const card = useRef<HTMLElement>(null)
  const [left, setLeft] = useState(COUNT_S)
  const [isCancelled, setIsCancelled] = useState(false)
  const isVeiled = useIsVeiled(content)
  const isCounting = autoplays && !isCancelled && !isVeiled
  const moveOn = useEffectEvent(onNext)
  useEffect(() => {
    if (!isCounting) return undefined
    const timer = setInterval(() => !mustWait(card.current) && setLeft((count) => count - 1), 1000)
    return () => clearInterval(timer)
  }, [isCounting])
  useEffect(() => {
    if (left === 0) moveOn()
  }, [left])
  return (
    <section ref={card} className={styles.card} aria-label={t.upNext} data-interactive>
      <div className={styles.picture}>
        <Thumbnail content={content} width="12rem" />
      </div>
      <div className={styles.words}>
        <p className={styles.label}>{isCounting ? t.upNextIn(Math.max(left, 0)) : t.upNext}</p>
        <p className={styles.nextTitle} lang={useLangOf(content.title)} role="status">
          {content.title}
        </p>
        <div className={styles.actions}>
          <Button look="primary" icon={<Play />} onClick={onNext}>
            {t.playNow}
          </Button>
          {isCounting && <Button onClick={() => setIsCancelled(true)}>{t.cancel}</Button>}
        </div>
      </div>
    </section>
  )
}

/** True while the viewer cannot see the countdown or is busy: typing, or in a dialog or menu. */
function mustWait(card: Element | null): boolean {
  return (
    document.hidden ||
    isTyping(document.activeElement) ||
    document.querySelector('[role$=dialog], [role=menu]') !== null ||
    (card?.getBoundingClientRect().bottom ?? 0) <= 0
  )
}
