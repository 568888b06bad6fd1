/** Account menu: links to the viewer's pages, theme, language, and signing out. */
import { SwatchBook } from 'lucide-react'
import { startTransition, Suspense, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { lazyPart } from '../session/lazyPart.ts'
import { useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import styles from './OwnMenu.module.css'
import { texts } from './texts.ts'

const OwnItems = lazyPart(() => import('./OwnItems.tsx'), 'OwnItems')

interface Props {
  side: 'top' | 'bottom'
  /** Shows the user's name next to the avatar. */
  isLabelled?: boolean
}

export function OwnMenu({ side, isLabelled }: Props) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const [isWanted, setIsWanted] = useState(false)
  // The accessible name must contain the visible text.
  const whose = viewer && isLabelled ? `${t.menu}, ${viewer.display_name}` : t.menu
  const trigger = (
    <button
      type="button"
      className={styles.trigger}
      aria-label={viewer === null ? t.settings : whose}
      aria-haspopup="menu"
      // Shows the button, with the focus on it, until the entries have loaded.
      onClick={() => startTransition(() => setIsWanted(true))}
    >
      {viewer ? (
        <Avatar person={viewer} size={28} />
      ) : viewer === null ? (
        <SwatchBook aria-hidden="true" />
      ) : (
        <span className={styles.coming} />
      )}
      {isLabelled && (
        <span className={styles.name}>{viewer === null ? t.settings : viewer?.display_name}</span>
      )}
    </button>
  )
  return (
    <Suspense fallback={trigger}>
      {isWanted ? <OwnItems side={side} trigger={trigger} /> : trigger}
    </Suspense>
  )
}
