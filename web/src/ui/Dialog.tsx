import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useBackCloses } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Dialog.module.css'
import { texts } from './texts.ts'
import { useWayBack } from './wayBack.ts'

/** Text fields. */
const WRITTEN =
  'input:not([type=radio], [type=checkbox], [type=file], [type=hidden], [readonly]), textarea:not([readonly])'

interface Props {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** True for text to read: the focus begins at the top instead of in the first text field. */
  isToRead?: boolean
  children?: ReactNode
  /** Buttons of the dialog. The main action is last. */
  actions?: ReactNode
}

/** Modal dialog. The user can close it with Escape, the close button or Back. */
export function Dialog(props: Props) {
  const { isOpen, onClose, title, description, isToRead = false, children, actions } = props
  const t = useTexts(texts)
  const popup = useRef<HTMLDivElement>(null)
  // Focuses the first text field. After a touch, focuses the dialog itself, because the on-screen keyboard
  // would cover the dialog.
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
          // React events bubble through portals, so the event would also submit a surrounding form.
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
