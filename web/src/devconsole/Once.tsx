import { type ReactNode, useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Checkbox } from '../ui/Field.tsx'
import styles from './console.module.css'
import { texts } from './texts.ts'

interface Secret {
  label: string
  /** What it is for. */
  hint?: ReactNode
  /** Null where the server repeats an answer, without its secrets. */
  value: string | null
}

interface Props {
  title: string
  secrets: readonly Secret[]
  onClose: () => void
  /** What to do with them. */
  children?: ReactNode
}

/** Secrets that no answer has again: left only by who says that they are saved. */
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
    // On a phone what is to be done first is below what is seen.
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
                {hint && <p className={styles.hint}>{hint}</p>}
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
            <p className={styles.error} role="alert">
              {isHurried && t.onceFirst}
            </p>
          </div>
        )}
      </div>
    </Dialog>
  )
}
