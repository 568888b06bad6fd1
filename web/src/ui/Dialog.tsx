import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import styles from './Dialog.module.css'
import { texts } from './texts.ts'
import { useWayBack } from './wayBack.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons, the one that goes on last. */
  actions?: ReactNode
}

/** What must be settled before one goes on; Escape and the cross leave it. */
export function Dialog({ isOpen, onClose, title, description, children, actions }: Props) {
  const t = useTexts(texts)
  const goBack = useWayBack(isOpen)
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && goBack()}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup}>
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
