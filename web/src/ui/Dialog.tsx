/** Dialogs and menus. Most visits open none, so their code loads on the first use of the page or of one of them. */
import { useMutation } from '@tanstack/react-query'
import {
  cloneElement,
  type FormEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useId,
  useState,
} from 'react'
import { lazyPart } from '../device/connected.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Field.module.css'
import { texts } from './texts.ts'
import { Button } from './Button.tsx'
import { Problem } from './Problem.tsx'

export interface DialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** Focuses the top of the dialog instead of the first text field. True for dialogs with text to read. */
  isToRead?: boolean
  children?: ReactNode
  /** Buttons of the dialog, the main action last. */
  actions?: ReactNode
}

export const DialogPopup = lazyPart<DialogProps, 'DialogPopup'>(
  () => import('./Popups.tsx'),
  'DialogPopup',
)

export function Dialog(props: DialogProps) {
  const [isUsed, setIsUsed] = useState(props.isOpen)
  if (props.isOpen && !isUsed) setIsUsed(true)
  return (
    isUsed && (
      <Suspense>
        <DialogPopup {...props} />
      </Suspense>
    )
  )
}

interface ConfirmProps extends Omit<DialogProps, 'actions'> {
  /** Label of the confirmation button, a verb. */
  act: string
  isDangerous?: boolean
  /** Message about missing input. If present, the button focuses the empty field instead of confirming. */
  missing?: string | false | undefined
  isBusy: boolean
  error: unknown
  onConfirm: () => void
}

export function Confirm(props: ConfirmProps) {
  const { act, isDangerous, missing, isBusy, error, onConfirm, children, ...dialog } = props
  const t = useTexts(texts)
  const why = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (missing) focusMissing(event.currentTarget)
    else if (!isBusy) onConfirm()
  }
  return (
    <Dialog {...dialog}>
      <form onSubmit={submit} className={styles.dialog}>
        {children}
        {error != null && <Problem error={error} />}
        {missing && (
          <p id={why} className={styles.missing}>
            {missing}
          </p>
        )}
        <div className={styles.dialogButtons}>
          <Button onClick={dialog.onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            look={isDangerous ? 'danger' : 'primary'}
            busy={isBusy}
            aria-disabled={missing ? true : undefined}
            aria-describedby={missing ? why : undefined}
          >
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type RequestProps<T> = Omit<ConfirmProps, 'isBusy' | 'error' | 'onConfirm'> & {
  request: () => Promise<T>
  /** Called after the request has succeeded and the dialog is closed. */
  onDone?: (result: T) => unknown
}

/** Dialog that asks for confirmation, then sends a request, and shows the error if the request fails. */
export function ConfirmRequest<T>({ request, onDone, onClose, ...props }: RequestProps<T>) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: request,
    onSuccess: (result) => {
      onClose()
      return onDone?.(result)
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <Confirm
      {...props}
      onClose={close}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}

function focusMissing(form: HTMLFormElement): void {
  const fields = [
    ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'),
  ]
  const field = fields.find(({ value }) => value === '') ?? fields[0]
  field?.focus()
}

export interface MenuItem {
  label: string
  icon?: ReactNode
  /** Path that the item opens. An item has either `to` or `onClick`. */
  to?: string
  onClick?: () => void
  isDangerous?: boolean
}

export interface MenuProps {
  trigger: ReactElement<Record<string, unknown>>
  /** A line separates the groups. */
  groups: readonly (readonly MenuItem[])[]
  side?: 'top' | 'bottom'
  onOpen?: () => void
}

export const MenuPopup = lazyPart<MenuProps, 'MenuPopup'>(() => import('./Popups.tsx'), 'MenuPopup')

export function Menu(props: MenuProps) {
  const { trigger, onOpen } = props
  const [isUsed, setIsUsed] = useState(false)
  // The button stays visible and focused until the code has loaded.
  const open = async () => {
    await MenuPopup.preload()
    onOpen?.()
    setIsUsed(true)
  }
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => void open(),
  })
  return <Suspense fallback={button}>{isUsed ? <MenuPopup {...props} /> : button}</Suspense>
}
