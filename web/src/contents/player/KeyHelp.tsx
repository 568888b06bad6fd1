import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useBackCloses } from '../../device/history.ts'
import { useTexts } from '../../language/texts.ts'
import { Checkbox } from '../../ui/Field.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { KeyList } from '../../ui/KeyList.tsx'
import styles from './KeyHelp.module.css'
import { usePlayer } from './behaviour.ts'
import { texts } from './texts.ts'

interface Props {
  usesKeys: boolean
  use: (usesKeys: boolean) => void
  close: () => void
  hasCaptions: boolean
  isVideo: boolean
}

/** List of the player's keyboard shortcuts. It is rendered inside the player, so that full screen shows it. */
export function KeyHelp({ usesKeys, use, close, hasCaptions, isVideo }: Props) {
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
        <span className={styles.title}>{t.keys}</span>
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
