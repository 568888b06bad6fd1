/** Content warnings, layers above media, and theatre mode. */
import { EyeOff, RectangleHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Content } from '#sdk'
import { keep, load } from '../device/storage.ts'
import { createStore, useStore } from '../device/store.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import styles from './stage.module.css'

type Rated = Pick<Content, 'rating' | 'warnings' | 'creator'>

/**
 * True when a filter blurs a content item because it is adult or flashing. Signed-out viewers have both filters. The
 * viewer's own content is never blurred.
 */
export function useIsVeiled({ rating, warnings, creator }: Rated): boolean {
  const viewer = useViewer()
  const { adult, flashing } = viewer?.content_filter ?? { adult: 'blur', flashing: 'blur' }
  if (viewer?.id === creator.id) return false
  return (
    (rating === 'adult' && adult !== 'show') ||
    (warnings.includes('flashing') && flashing !== 'show')
  )
}

interface VeilProps {
  content: Rated & Pick<Content, 'id' | 'warning_text'>
  children: ReactNode
}

/**
 * Shows the warnings of a content item, and its children only after the user agrees. Asks once per content item and
 * browser tab.
 */
export function Veil({ content, children }: VeilProps) {
  const t = useTexts(veilTexts)
  const isVeiled = useIsVeiled(content)
  const { id, rating, warnings, warning_text } = content
  const key = `plaza.shown.${id}`
  const [isLifted, setIsLifted] = useState(() => load(key, 'sessionStorage') !== null)
  if (!isVeiled || isLifted) return children
  return (
    <div className={styles.veil}>
      <EyeOff />
      <p className="strong">{rating === 'adult' ? t.adult : t.careful}</p>
      {warnings.length > 0 && (
        <p>
          {warnings.map((name) => t.warning[name as keyof typeof t.warning] ?? name).join(' · ')}
        </p>
      )}
      {warning_text && <p>{warning_text}</p>}
      <Button
        onClick={() => {
          keep(key, 'yes', 'sessionStorage')
          setIsLifted(true)
        }}
      >
        {t.show}
      </Button>
    </div>
  )
}

export const veilTexts = defineTexts({
  adult: ['성인용 작품이에요', 'For adults'],
  careful: ['번쩍이는 화면이 있어요', 'Contains flashing images'],
  adultShort: ['성인', 'Adults'],
  flashingShort: ['번쩍임', 'Flashing'],
  show: ['보기', 'Show'],
  warning: {
    violence: ['폭력', 'Violence'],
    nudity: ['노출', 'Nudity'],
    sexual: ['성적인 내용', 'Sexual content'],
    language: ['거친 말', 'Strong language'],
    drugs: ['약물·음주', 'Drugs or alcohol'],
    gambling: ['도박', 'Gambling'],
    horror: ['공포', 'Horror'],
    flashing: ['번쩍이는 화면', 'Flashing images'],
  },
})

interface OverlayProps {
  /** Makes the layer nearly opaque, so that its text is legible. */
  hides?: boolean
  role?: 'alert' | 'status'
  children: ReactNode
}

/** Layer above media, for a message or a button. */
export function Overlay({ hides, role, children }: OverlayProps) {
  return (
    <div className={styles.overlay} data-hides={hides || undefined} role={role}>
      {children}
    </div>
  )
}

const THEATRE_KEY = 'plaza.theatre'
const theatre = createStore(load(THEATRE_KEY) !== null)

/** True when videos and games take the whole width of the page. The choice is stored in the browser. */
export function useIsTheatre(): boolean {
  return useStore(theatre)
}

export function toggleTheatre(): void {
  const isOn = !theatre.get()
  keep(THEATRE_KEY, isOn ? 'on' : null)
  theatre.set(isOn)
}

export function TheatreButton() {
  const t = useTexts(theatreTexts)
  return (
    <IconButton
      className={styles.theatreButton ?? ''}
      icon={<RectangleHorizontal />}
      label={t.theatre}
      pressed={useIsTheatre()}
      onClick={toggleTheatre}
    />
  )
}

const theatreTexts = defineTexts({
  theatre: ['넓게 보기 (T)', 'Theatre mode (T)'],
})
