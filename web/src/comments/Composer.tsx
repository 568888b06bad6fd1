import { type KeyboardEvent, type SubmitEvent, useLayoutEffect, useRef } from 'react'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { useDraft } from '../session/drafts.ts'
import { asMember, useIsSignedIn, useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/User.tsx'
import { Button } from '../ui/Button.tsx'
import { Counter, isSubmitKey, TextArea } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import styles from './Comments.module.css'
import { useSend } from './acts.tsx'
import { texts } from './texts.ts'

/** The API's maximum length of a comment, in characters. */
const LIMIT = 1000

interface Props {
  label: string
  send: string
  placeholder?: string
  /** Current text. The parent stores it, so that it survives unmounting. */
  text: string
  onText: (text: string) => void
  busy?: boolean
  error?: string | undefined
  /** Called to close the box. Without this callback, the box cannot be closed and does not take the focus. */
  onCancel?: () => void
  /** Sends the text. Returns true if the box must then be cleared, and false if it must keep the text. */
  onSend: (body: string) => boolean
}

export function Composer(props: Props) {
  const { label, send, placeholder, text, onText, busy = false, onCancel, onSend } = props
  const area = useRef<HTMLTextAreaElement>(null)
  useFocus(area, onCancel !== undefined)
  const body = text.normalize('NFC').trim()
  const length = lengthOf(text)
  const isGood = length > 0 && length <= LIMIT
  const empty = () => {
    onText('')
    // Focuses the text box, because the focused button disappears when the text is cleared.
    area.current?.focus()
  }
  // Cancel discards the text. Escape only closes the box, because it may be pressed by accident.
  const cancel = () => {
    empty()
    onCancel?.()
  }
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (isGood && !busy && onSend(body)) empty()
  }
  const press = (event: KeyboardEvent) => {
    if (isSubmitKey(event)) submit()
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || !onCancel) return
    // Prevents Escape from also closing a surrounding dialog.
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
      {(text !== '' || onCancel) && <Foot {...{ length, isGood, send, busy }} onCancel={cancel} />}
    </form>
  )
}

interface FootProps {
  length: number
  isGood: boolean
  send: string
  busy: boolean
  onCancel: () => void
}

function Foot({ length, isGood, send, busy, onCancel }: FootProps) {
  const t = useTexts(texts)
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

function useFocus(area: { current: HTMLTextAreaElement | null }, takesFocus: boolean): void {
  useLayoutEffect(() => {
    const { current } = area
    if (!takesFocus || !current) return undefined
    const opener = document.activeElement
    current.focus()
    current.setSelectionRange(current.value.length, current.value.length)
    return () => {
      if (!current.form?.contains(document.activeElement)) return
      // Focuses the comment if the button that opened the composer no longer exists.
      const exists = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      const back = exists ? opener : current.closest('article')
      back?.focus({ preventScroll: true })
    }
  }, [area, takesFocus])
}

export function WriteBox({ contentId }: { contentId: string }) {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const viewer = useViewer()
  const send = useSend(contentId)
  const [text, change] = useDraft(`comment.${contentId}`)
  if (!isSignedIn) {
    return (
      <div className={styles.asking}>
        <p>{t.signInHelp}</p>
        <Button size="small" onClick={() => asMember(() => {})}>
          {t.signIn}
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.write}>
      {viewer ? <Avatar user={viewer} size={40} /> : <Skeleton round width={40} height={40} />}
      <Composer
        label={t.write}
        placeholder={t.writeHere}
        send={t.send}
        text={text}
        onText={change}
        onSend={(body) => {
          send(null, body)
          return true
        }}
      />
    </div>
  )
}
