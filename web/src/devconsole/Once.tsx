import { type ReactNode, useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Copy.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Checkbox, FieldError } from '../ui/Field.tsx'
import styles from './console.module.css'
import { texts } from './texts.ts'

interface Secret {
  label: string
  hint?: ReactNode
  /** Null when the server replays an earlier response, because replays omit secrets. */
  value: string | null
}

interface Props {
  title: string
  secrets: readonly Secret[]
  onClose: () => void
  children?: ReactNode
}

/**
 * Dialog with secrets that the server sends only once. Closing requires confirming that they were saved, unless
 * the server has omitted one.
 */
export function Once({ title, secrets, onClose, children }: Props) {
  const t = useTexts(texts)
  const [isSaved, setIsSaved] = useState(false)
  const [isHurried, setIsHurried] = useState(false)
  const isLost = secrets.some(({ value }) => value === null)
  const box = useRef<HTMLInputElement>(null)
  const close = () => {
    if (isSaved || isLost) {
      onClose()
      return
    }
    setIsHurried(true)
    // Moves the focus to the checkbox, because it can be below the visible area on a phone.
    box.current?.focus()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={title}
      description={isLost ? t.onceLost : t.onceHelp}
      actions={
        <Button look="primary" onClick={close} aria-disabled={!(isSaved || isLost)}>
          {t.done}
        </Button>
      }
    >
      <div className={styles.secrets}>
        {secrets.map(
          ({ label, hint, value }) =>
            value !== null && (
              <div key={label} className={styles.once}>
                <Code text={value} label={label} />
                {hint && <p className="fine">{hint}</p>}
              </div>
            ),
        )}
        {!isLost && children}
        {!isLost && (
          <div className={styles.once}>
            <Checkbox
              ref={box}
              label={t.onceSaved}
              checked={isSaved}
              onChange={({ target }) => {
                setIsSaved(target.checked)
                setIsHurried(false)
              }}
            />
            <FieldError>{isHurried && t.onceFirst}</FieldError>
          </div>
        )}
      </div>
    </Dialog>
  )
}
