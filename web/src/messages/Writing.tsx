import { useQueryClient } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { useDraft } from '../session/drafts.ts'
import { Counter } from '../ui/Counter.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { send } from './outbox.ts'
import { MESSAGE_MAX } from './queries.ts'
import { texts } from './texts.ts'
import styles from './Writing.module.css'

/** Length from which the counter is visible. */
const NEARLY_FULL = MESSAGE_MAX - 200

/** Text box for a message. Enter sends it, except while an input method composes text. */
export function Writing({ id, viewerId }: { id: string; viewerId: string }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const hint = useId()
  const [body, change] = useDraft(`message.${id}`)
  const length = lengthOf(body)
  const isGood = length > 0 && length <= MESSAGE_MAX
  const submit = () => {
    if (!isGood) return
    send(queries, { conversation_id: id, sender_id: viewerId, body: body.trim() })
    change('')
  }
  return (
    <form
      className={styles.writing}
      onSubmit={(event) => {
        event.preventDefault()
        // Sending disables the focused button, so the text box takes the focus.
        event.currentTarget.querySelector('textarea')?.focus()
        submit()
      }}
    >
      <textarea
        className={styles.text}
        rows={1}
        aria-label={t.write}
        aria-describedby={hint}
        aria-invalid={length > MESSAGE_MAX || undefined}
        placeholder={t.placeholder}
        enterKeyHint="send"
        value={body}
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (!isSend(event)) return
          event.preventDefault()
          submit()
        }}
      />
      <IconButton
        type="submit"
        className={styles.send ?? ''}
        icon={<SendHorizontal aria-hidden="true" />}
        label={t.send}
        disabled={!isGood}
      />
      <Foot id={hint} length={length} />
    </form>
  )
}

function Foot({ id, length }: { id: string; length: number }) {
  const t = useTexts(texts)
  return (
    <p className={styles.foot}>
      <span id={id} className={styles.hint}>
        {t.hint}
      </span>
      {length > NEARLY_FULL && <Counter length={length} max={MESSAGE_MAX} />}
    </p>
  )
}

/**
 * Returns true when Enter sends the message. In Safari, the Enter that ends a composition arrives after the
 * composition's end, but with key code 229.
 */
function isSend({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229
}
