import { type KeyboardEvent, type SubmitEvent, useLayoutEffect, useRef } from 'react'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Counter } from '../ui/Counter.tsx'
import { TextArea } from '../ui/Field.tsx'
import { isSubmitKey } from '../ui/submitKey.ts'
import styles from './Composer.module.css'
import { texts } from './texts.ts'

/** Of the API. */
const LIMIT = 1000

interface Props {
  label: string
  send: string
  placeholder?: string
  /** What stands in it. Whoever holds it keeps it from being lost where it must not be. */
  text: string
  onText: (text: string) => void
  busy?: boolean
  /** What was wrong with it, in words. */
  error?: string | undefined
  /** Opened by a press, it takes the focus, and can be closed again. */
  onCancel?: () => void
  /** True where it was taken and can be emptied. */
  onSend: (body: string) => boolean
}

/** A box to write a comment in. Control and Enter send it. */
export function Composer(props: Props) {
  const { label, send, placeholder, text, onText, busy = false, onCancel, onSend } = props
  const area = useRef<HTMLTextAreaElement>(null)
  useFocus(area, onCancel !== undefined)
  const body = text.normalize('NFC').trim()
  const length = lengthOf(text)
  const canSend = length > 0 && length <= LIMIT && !busy
  const empty = () => {
    onText('')
    // The buttons go with the text, and would take the focus along.
    area.current?.focus()
  }
  // Unlike Escape, which may be a slip, it says that nothing of it is wanted.
  const cancel = () => {
    empty()
    onCancel?.()
  }
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (canSend && onSend(body)) empty()
  }
  const press = (event: KeyboardEvent) => {
    if (isSubmitKey(event)) submit()
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || !onCancel) return
    // It closes this, and not a dialog around it as well.
    event.stopPropagation()
    onCancel()
  }
  return (
    <form className={styles.composer} onSubmit={submit}>
      <TextArea
        ref={area}
        label={label}
        hidesLabel
        rows={1}
        placeholder={placeholder}
        value={text}
        error={props.error}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={press}
      />
      {(text !== '' || onCancel) && <Foot {...{ length, send, busy }} onCancel={cancel} />}
    </form>
  )
}

interface FootProps {
  length: number
  send: string
  busy: boolean
  onCancel: () => void
}

function Foot({ length, send, busy, onCancel }: FootProps) {
  const t = useTexts(texts)
  const isGood = length > 0 && length <= LIMIT
  return (
    <div className={styles.row}>
      <span className={styles.count}>
        <Counter length={length} max={LIMIT} />
      </span>
      <Button size="small" look="plain" onClick={onCancel}>
        {t.cancel}
      </Button>
      <Button size="small" look="primary" type="submit" busy={busy} disabled={!isGood && !busy}>
        {send}
      </Button>
    </div>
  )
}

/** Takes the focus, at the end of what stands in it, and gives it back where it is closed. */
function useFocus(area: { current: HTMLTextAreaElement | null }, isWanted: boolean): void {
  useLayoutEffect(() => {
    const { current } = area
    if (!isWanted || !current) return undefined
    const opener = document.activeElement
    current.focus()
    current.setSelectionRange(current.value.length, current.value.length)
    return () => {
      if (!current.form?.contains(document.activeElement)) return
      // Where the button that opened it gave way to it, what it belongs to is still there.
      const isThere =
        opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      const back = isThere ? opener : current.closest('article')
      back?.focus({ preventScroll: true })
    }
  }, [area, isWanted])
}
