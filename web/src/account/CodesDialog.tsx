import { useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Copy.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Checkbox, FieldError } from '../ui/Field.tsx'
import { texts } from './securityTexts.ts'

/** Dialog with recovery codes, which are shown only once. Closing requires confirming that they were saved. */
export function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useTexts(texts)
  const [isSaved, setIsSaved] = useState(false)
  const [isHurried, setIsHurried] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const close = () => {
    if (isSaved) return onClose()
    setIsHurried(true)
    box.current?.focus()
  }
  return (
    <Dialog
      isOpen
      isToRead
      onClose={close}
      title={t.saveCodes}
      description={t.saveCodesHelp}
      actions={
        <Button look="primary" onClick={close} aria-disabled={!isSaved}>
          {t.done}
        </Button>
      }
    >
      <Code text={codes.join('\n')} label={t.codes} />
      <Checkbox
        ref={box}
        label={t.codesSaved}
        checked={isSaved}
        onChange={({ target }) => {
          setIsSaved(target.checked)
          setIsHurried(false)
        }}
      />
      <FieldError>{isHurried && t.saveFirst}</FieldError>
    </Dialog>
  )
}
