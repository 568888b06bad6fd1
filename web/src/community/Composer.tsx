import { useEffect, useRef, useState } from 'react'
import type { Post } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { useDraft } from '../session/drafts.ts'
import { asMember, useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/User.tsx'
import { Button } from '../ui/Button.tsx'
import { Counter, fieldErrorsOf, isSubmitKey, TextArea } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Community.module.css'
import { POST_MAX, useSendPost } from './queries.ts'
import { texts } from './texts.ts'

const AREA = { minHeight: 44, maxHeight: '40dvh', resize: 'none' } as const

export function Composer({ parent }: { parent?: Post }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const written = useWriting(parent)
  const label = parent ? t.replyTo(parent.author?.handle ?? '') : t.write
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault()
        // Sending disables the focused button, so the text box takes the focus.
        event.currentTarget.querySelector('textarea')?.focus()
        written.submit()
      }}
    >
      {viewer && <Avatar user={viewer} size={40} />}
      <div className={styles.writing}>
        <TextArea
          label={label}
          hidesLabel
          rows={parent ? 1 : 2}
          style={AREA}
          placeholder={parent ? label : t.placeholder}
          value={written.text}
          onChange={({ target }) => written.change(target.value)}
          onKeyDown={(event) => isSubmitKey(event) && written.submit()}
          error={written.fieldError}
          enterKeyHint="enter"
        />
        {written.problem !== undefined && (
          <Problem error={written.problem} retry={written.text ? written.submit : undefined} />
        )}
        <Foot written={written} send={parent ? t.reply : t.post} />
      </div>
    </form>
  )
}

function Foot({ written, send }: { written: ReturnType<typeof useWriting>; send: string }) {
  const t = useTexts(texts)
  const { text, length, isPending } = written
  return (
    <div className={styles.composerFoot}>
      <span className={styles.hint}>{text && t.postHint}</span>
      {text && <Counter length={length} max={POST_MAX} />}
      <Button
        type="submit"
        size="small"
        look="primary"
        busy={isPending}
        disabled={length === 0 || length > POST_MAX}
      >
        {send}
      </Button>
    </div>
  )
}

function useWriting(parent: Post | undefined) {
  const t = useTexts(texts)
  const formats = useFormats()
  const [text, change] = useDraft(parent ? `reply.${parent.id}` : 'post')
  const now = useRef({ text, change })
  useEffect(() => {
    now.current = { text, change }
  })
  const [isOver, setIsOver] = useState(false)
  const { send, isPending, error } = useSendPost({
    parent,
    // If sending fails, puts the unsent text above what the user has typed since.
    onFailed: (body) => now.current.change([body, now.current.text].filter(Boolean).join('\n\n')),
  })
  const length = lengthOf(text)
  const said = fieldErrorsOf(error)['body']
  const submit = () => {
    setIsOver(length > POST_MAX)
    if (length === 0 || length > POST_MAX || isPending) return
    asMember(() => {
      send(text)
      change('')
    })
  }
  return {
    text,
    change,
    length,
    isPending,
    submit,
    fieldError: isOver && length > POST_MAX ? t.tooLong(formats.number(POST_MAX)) : said,
    problem: error && said === undefined ? error : undefined,
  }
}
