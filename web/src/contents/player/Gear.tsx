import { Menu } from '@videojs/react'
import { Check, ChevronLeft, ChevronRight, Settings } from 'lucide-react'
import { useRef } from 'react'
import { useTexts } from '../../language/texts.ts'
import { IconButton } from '../../ui/Button.tsx'
import styles from './Gear.module.css'
import { usePlayer } from './behaviour.ts'
import type { Source } from './sources.ts'
import { texts } from './texts.ts'

const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

export interface GearProps {
  sources: readonly Source[]
  chosen: Source | undefined
  choose: (source: Source) => void
  /** True when the next video starts automatically. If undefined, the menu has no such choice. */
  autoplays: boolean | undefined
  onAutoplays: (wanted: boolean) => void
  onHelp: () => void
}

/** Menu of the player's settings. Video.js keeps the control bar visible while the menu is open. */
export function Gear({ sources, chosen, choose, autoplays, onAutoplays, onHelp }: GearProps) {
  const t = useTexts(texts)
  const { setPlaybackRate, toggleSubtitles } = usePlayer()
  const rate = usePlayer(({ playbackRate }) => playbackRate)
  const hasCaptions = usePlayer(({ textTrackList }) =>
    textTrackList.some(({ kind }) => kind === 'captions'),
  )
  const showsCaptions = usePlayer(({ subtitlesShowing }) => subtitlesShowing)
  const wantsHelp = useRef(false)
  const named = sources.filter(({ quality }) => quality !== null)
  return (
    <Menu.Root
      side="top"
      align="end"
      boundary="viewport"
      // Opens the list of shortcuts only after the menu has closed. The closing menu moves the focus to its button, so
      // the list would lose the focus.
      onOpenChangeComplete={(isOpen) => {
        if (isOpen || !wantsHelp.current) return
        wantsHelp.current = false
        onHelp()
      }}
    >
      <Menu.Trigger
        render={(props) => <IconButton {...props} icon={<Settings />} label={t.settings} />}
      />
      <Menu.Popup className={styles.popup}>
        <Menu.Content className={styles.page}>
          {named.length > 1 && (
            <Choice
              label={t.quality}
              value={chosen?.url ?? ''}
              options={named.map(({ url, quality }) => ({ value: url, text: quality ?? '' }))}
              onChoose={(wanted) => {
                const source = named.find(({ url }) => url === wanted)
                if (source) choose(source)
              }}
            />
          )}
          <Choice
            label={t.speed}
            value={String(rate)}
            options={RATES.map((option) => ({ value: String(option), text: `${option}×` }))}
            onChoose={(option) => setPlaybackRate(Number(option))}
          />
          {hasCaptions && (
            <Switch label={t.captions} isOn={showsCaptions} onChange={() => toggleSubtitles()} />
          )}
          {autoplays !== undefined && (
            <Switch label={t.autoplay} isOn={autoplays} onChange={onAutoplays} />
          )}
          <Menu.Item
            className={`${styles.item} ${styles.keys}`}
            onSelect={() => {
              wantsHelp.current = true
            }}
          >
            {t.keys}
          </Menu.Item>
        </Menu.Content>
      </Menu.Popup>
    </Menu.Root>
  )
}

interface SwitchProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <Menu.CheckboxItem className={styles.item} checked={isOn} onCheckedChange={onChange}>
      {label}
      <Check className={styles.check} />
    </Menu.CheckboxItem>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; text: string }[]
  onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        className={styles.item}
        render={(props) => (
          <div {...props}>
            {label}
            <span className={styles.value}>
              {options.find((option) => option.value === value)?.text}
              <ChevronRight />
            </span>
          </div>
        )}
      />
      <Menu.Content className={styles.page}>
        <Menu.Item className={`${styles.item} ${styles.back}`}>
          <ChevronLeft />
          {label}
        </Menu.Item>
        <Menu.RadioGroup value={value} onValueChange={onChoose} aria-label={label}>
          {options.map((option) => (
            <Menu.RadioItem key={option.value} value={option.value} className={styles.item}>
              {option.text}
              <Check className={styles.check} />
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Content>
    </Menu.Root>
  )
}
