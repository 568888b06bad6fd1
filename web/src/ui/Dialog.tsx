import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useBackCloses } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Dialog.module.css'
import { texts } from './texts.ts'
import { useWayBack } from './wayBack.ts'

/** Fields that one writes into. */
const WRITTEN =
  'input:not([type=radio], [type=checkbox], [type=file], [type=hidden], [readonly]), textarea:not([readonly])'

interface Props {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** There to be read: it begins at its top, even where one may write further down. */
  isToRead?: boolean
  children?: ReactNode
  /** Buttons, the one that goes on last. */
  actions?: ReactNode
}

/** Asks for a decision before the page can be used again; Escape, the cross and Back close it. */
export function Dialog(props: Props) {
  const { isOpen, onClose, title, description, isToRead = false, children, actions } = props
  const t = useTexts(texts)
  const popup = useRef<HTMLDivElement>(null)
  // What is asked for can be written at once; under a finger a keyboard would hide what it is.
  const first = (openedBy: string) => {
    if (openedBy === 'touch') return popup.current
    return (!isToRead && popup.current?.querySelector<HTMLElement>(WRITTEN)) || true
  }
  const goBack = useWayBack(isOpen)
  useBackCloses(isOpen, onClose)
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && goBack()}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          className={styles.popup}
          initialFocus={first}
          // In React's tree a dialog may be inside another form, which must not be submitted with it.
          onSubmit={(event) => event.stopPropagation()}
        >
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close className={styles.close} aria-label={t.close}>
              <X aria-hidden="true" />
            </Base.Close>
          </div>
          {description && (
            <Base.Description className={styles.description}>{description}</Base.Description>
          )}
          {children}
          {actions && <div className={styles.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
