import { ImageUp } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '../ui/Button.tsx'

const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

interface Props {
  /** Accessible name of the file input. */
  name: string
  isBusy?: boolean
  onChoose: (file: File) => void
  /** Text of the button. */
  children: string
}

/** Button that opens a dialog to choose a picture file. */
export function PictureButton({ name, isBusy = false, onChoose, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Clears the input. Otherwise choosing the same file again would fire no change event.
    target.value = ''
    if (file) onChoose(file)
  }
  return (
    <>
      <input ref={input} type="file" accept={ACCEPTED} hidden aria-label={name} onChange={choose} />
      <Button icon={<ImageUp />} busy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
