import { Play } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Content } from '#sdk'
import { useLangOf } from '../../language/look.ts'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Thumbnail } from '../Thumbnail.tsx'
import { isTyping } from '../keys.ts'
import { useIsVeiled } from '../veil.tsx'
import styles from './UpNext.module.css'
import { texts } from './texts.ts'

const COUNT_S = 8

interface Props {
  content: Content
  /** True to call `onNext` after a countdown. False to call it only when the viewer presses the button. */
  autoplays: boolean
  onNext: () => void
}

/** Card that offers the next video when a video has ended. */
export function UpNext({ content, autoplays, onNext }: Props) {
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
        <p className={styles.title} lang={useLangOf(content.title)} role="status">
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
