import { Dialog as Base } from '@base-ui/react/dialog'
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useCallback, useId, useLayoutEffect, useRef } from 'react'
import { useBackCloses } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Dialog.module.css'
import { texts } from './texts.ts'
import { Button } from './Button.tsx'
import { Problem } from './Problem.tsx'

/** Selector of editable text fields. */
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
  /** Buttons of the dialog, the main action last. */
  actions?: ReactNode
}

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
  const returnFocus = useWayBack(isOpen)
  useBackCloses(isOpen, onClose)
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => !open && returnFocus()}
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
              <X />
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

interface ConfirmProps {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** Button label, a verb. */
  act: string
  isDangerous?: boolean
  /** Sentence about missing input. If present, the button focuses the empty field instead of confirming. */
  missing?: string | false | undefined
  isToRead?: boolean
  isBusy: boolean
  error: unknown
  onConfirm: () => void
  children?: ReactNode
}

export function Confirm({
  isOpen,
  onClose,
  title,
  description,
  act,
  isDangerous = false,
  missing,
  isToRead = false,
  isBusy,
  error,
  onConfirm,
  children,
}: ConfirmProps) {
  const t = useTexts(texts)
  const why = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (missing) focusMissing(event.currentTarget)
    else if (!isBusy) onConfirm()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      description={description}
      isToRead={isToRead}
    >
      <form onSubmit={submit} className={styles.form}>
        {children}
        {error != null && <Problem error={error} />}
        {missing && (
          <p id={why} className={styles.missing}>
            {missing}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.cancel}</Button>
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

/** Asks for confirmation, then sends a request and shows its error. */
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

const TAKES_FOCUS = 'a[href], button:not(:disabled), input, textarea, select, [tabindex]'

/**
 * Restores the focus after a dialog whose opener no longer exists, for example after a deletion. Returns a
 * function to call when the dialog has closed. If no element has the focus then, the function focuses the opener or
 * the closest remaining element around it. Unmounting the dialog also calls the function.
 */
function useWayBack(isOpen: boolean): () => void {
  const way = useRef<readonly HTMLElement[]>([])
  useLayoutEffect(() => {
    if (isOpen) way.current = wayTo(document.activeElement)
  }, [isOpen])
  const end = useCallback(() => {
    goBack(way.current)
    way.current = []
  }, [])
  // The microtask runs after elements that unmount together with the dialog are removed.
  useLayoutEffect(() => () => queueMicrotask(end), [end])
  return end
}

/**
 * Returns the element and its ancestors. For a menu item, returns the button that opened the menu, and the
 * ancestors of the button.
 */
function wayTo(element: Element | null): HTMLElement[] {
  const menu = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const way: HTMLElement[] = []
  let ancestor = menu ? document.getElementById(menu) : element
  for (; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
    if (ancestor instanceof HTMLElement) way.push(ancestor)
  }
  return way
}

function goBack(way: readonly HTMLElement[]): void {
  if (document.activeElement !== document.body) return
  for (const element of way) {
    const found = element.matches(TAKES_FOCUS)
      ? element
      : element.querySelector<HTMLElement>(TAKES_FOCUS)
    if (!element.isConnected || !found) continue
    found.focus({ preventScroll: true })
    return
  }
}
