import { RotateCw } from 'lucide-react'
import { useMatches } from '../device/wishes.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Player.module.css'
import { texts } from './texts.ts'

/** Matches phones and small tablets. */
const HELD = '(pointer: coarse) and (max-width: 1024px)'

/** Asks the player to rotate a phone that is not in the game's orientation. */
export function TurnHint({ orientation }: { orientation: string | null | undefined }) {
  const t = useTexts(texts)
  const isUpright = useMatches(`${HELD} and (orientation: portrait)`)
  const isSideways = useMatches(`${HELD} and (orientation: landscape)`)
  const held = isUpright ? 'portrait' : isSideways ? 'landscape' : undefined
  const wants = orientation === 'landscape' || orientation === 'portrait' ? orientation : held
  if (held === undefined || wants === held) return null
  return (
    <p className={styles.turn}>
      <RotateCw aria-hidden="true" />
      {wants === 'landscape' ? t.turnLandscape : t.turnPortrait}
    </p>
  )
}
