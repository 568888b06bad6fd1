import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import fields from '../ui/Field.module.css'
import { Checkbox } from '../ui/Field.tsx'

interface Props {
  title: string
  description: string
  /** Texts of the confirmation, of the notice without it, and of the button. */
  words: { saved: string; first: string; done: string }
  /** Focuses the top of the dialog, because the secrets are to be read. */
  isToRead?: boolean
  /** Closes without a confirmation, because there is nothing to save. */
  isEmpty?: boolean
  onClose: () => void
  children: ReactNode
}

/** Dialog with secrets that are shown only once. Closing requires confirming that they were saved. */
export function SaveFirst(props: Props) {
  const { title, description, words, isToRead = false, isEmpty = false, onClose, children } = props
  const [isSaved, setIsSaved] = useState(isEmpty)
  const [isHurried, setIsHurried] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const close = () => {
    if (isSaved) return onClose()
    setIsHurried(true)
    // Moves the focus to the checkbox, because it can be below the visible area on a phone.
    box.current?.focus()
  }
  return (
    <Dialog
      isOpen
      isToRead={isToRead}
      onClose={close}
      title={title}
      description={description}
      actions={
        <Button look="primary" onClick={close} aria-disabled={!isSaved}>
          {words.done}
        </Button>
      }
    >
      {children}
      {!isEmpty && (
        <>
          <Checkbox
            ref={box}
            label={words.saved}
            checked={isSaved}
            onChange={({ target }) => {
              setIsSaved(target.checked)
              setIsHurried(false)
            }}
          />
          {/* Always present, because some screen readers ignore an alert that appears together with its text. */}
          <p className={fields.error} role="alert">
            {isHurried && words.first}
          </p>
        </>
      )}
    </Dialog>
  )
}
