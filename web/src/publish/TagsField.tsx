import { X } from 'lucide-react'
import {
  type ChangeEvent,
  type ClipboardEvent,
  type CompositionEvent,
  type KeyboardEvent,
  useRef,
  useState,
} from 'react'
import { useTexts } from '../language/texts.ts'
import { Field, FieldInput } from '../ui/Field.tsx'
import styles from './TagsField.module.css'
import { withTags } from './tags.ts'
import { texts } from './texts.ts'
import { TAGS_MAX } from './content.ts'

interface Props {
  tags: readonly string[]
  onChange: (tags: readonly string[]) => void
  error?: string | undefined
}

/**
 * Field that shows tags as chips. Enter or a comma adds a tag. Backspace in the empty field removes the last
 * tag.
 */
export function TagsField({ tags, onChange, error }: Props) {
  const t = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  const { typed, said, remove, ...typing } = useTyping(tags, onChange)
  const hint = tags.length >= TAGS_MAX ? t.tagsFull(TAGS_MAX) : t.tagsHint(tags.length, TAGS_MAX)
  return (
    <>
      <Field label={t.tags} hint={hint} error={error}>
        <div className={styles.box} data-invalid={error}>
          <Chips
            tags={tags}
            onRemove={(tag) => {
              remove(tag)
              input.current?.focus()
            }}
          />
          <FieldInput error={error}>
            <input
              ref={input}
              className={styles.input}
              value={typed}
              autoCapitalize="none"
              {...typing}
            />
          </FieldInput>
        </div>
      </Field>
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  )
}

/** Returns the state of the text field, and announcements for screen readers. */
function useTyping(tags: readonly string[], onChange: Props['onChange']) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState('')
  const add = (what = typed, rest = '') => {
    const next = withTags(tags, what)
    setTyped(rest)
    if (next !== tags) onChange(next)
    setSaid(next === tags ? '' : t.tagAdded(next.at(-1) ?? ''))
  }
  const remove = (tag: string) => {
    onChange(tags.filter((current) => current !== tag))
    setSaid(t.tagRemoved(tag))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignores keys while an input method composes text.
    if (event.nativeEvent.isComposing) return
    if ((event.key === 'Enter' || event.key === ',') && typed.trim()) {
      event.preventDefault()
      add()
    } else if (event.key === 'Enter') event.preventDefault()
    const last = tags.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!text.includes(',')) return
    event.preventDefault()
    onChange(withTags(tags, `${typed}${text}`))
    setTyped('')
  }
  // Also handles commas here, because a comma that ends a composition fires no key event.
  const split = (text: string) => {
    const end = text.lastIndexOf(',')
    if (end < 0) setTyped(text)
    else add(text.slice(0, end), text.slice(end + 1).trimStart())
  }
  const type = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    if ((nativeEvent as InputEvent).isComposing) setTyped(target.value)
    else split(target.value)
  }
  return {
    typed,
    said,
    remove,
    onChange: type,
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) =>
      split(currentTarget.value),
    onKeyDown,
    onPaste,
    onBlur: () => add(),
  }
}

function Chips({ tags, onRemove }: { tags: readonly string[]; onRemove: (tag: string) => void }) {
  const t = useTexts(texts)
  if (tags.length === 0) return null
  return (
    <ul className={styles.chips}>
      {tags.map((tag) => (
        <li key={tag} className={styles.chip}>
          #{tag}
          <button
            type="button"
            className={styles.remove}
            aria-label={t.removeTag(tag)}
            onClick={() => onRemove(tag)}
          >
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}
