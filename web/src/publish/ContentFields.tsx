import { X } from 'lucide-react'
import {
  type ChangeEvent,
  type ClipboardEvent,
  type CompositionEvent,
  type KeyboardEvent,
  Suspense,
  useRef,
  useState,
} from 'react'
import { lazyPart } from '../device/connected.ts'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { Counter, Field, FieldInput, TextArea, TextField } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import choices from '../ui/Tabs.module.css'
import {
  BODY_MAX,
  type ContentValues,
  DESCRIPTION_MAX,
  TAGS_MAX,
  TITLE_MAX,
  withTags,
} from './content.ts'
import fieldStyles from './fields.module.css'
import { texts } from './texts.ts'

interface Props {
  values: ContentValues
  change: (change: Partial<ContentValues>) => void
  errors: Partial<Record<string, string>>
  hasBody: boolean
}

export function ContentFields({ values, change, errors, hasBody }: Props) {
  const t = useTexts(texts)
  return (
    <Panel title={t.aboutContent}>
      <TextField
        label={t.title}
        name="title"
        hint={<Counter length={lengthOf(values.title)} max={TITLE_MAX} />}
        value={values.title}
        error={errors['title']}
        required
        autoComplete="off"
        onChange={({ target }) => change({ title: target.value })}
      />
      {hasBody && <BodyField {...{ values, change, errors }} />}
      <TextArea
        label={hasBody ? t.summary : t.description}
        name="description"
        hint={<Counter length={lengthOf(values.description)} max={DESCRIPTION_MAX} />}
        value={values.description}
        error={errors['description']}
        rows={hasBody ? 2 : 4}
        onChange={({ target }) => change({ description: target.value })}
      />
      <TagsField tags={values.tags} error={errors['tags']} onChange={(tags) => change({ tags })} />
    </Panel>
  )
}

const Markdown = lazyPart(() => import('../markdown/Markdown.tsx'), 'Markdown')

/** Markdown field for the text of an article, with a preview. */
function BodyField({ values, change, errors }: Omit<Props, 'hasBody'>) {
  const t = useTexts(texts)
  const [isPreview, setIsPreview] = useState(false)
  return (
    <div className={fieldStyles.body}>
      <div className={choices.choices} role="group" aria-label={t.bodyView}>
        {[false, true].map((preview) => (
          <button
            key={String(preview)}
            type="button"
            aria-pressed={preview === isPreview}
            onClick={() => void Markdown.preload().then(() => setIsPreview(preview))}
          >
            {preview ? t.preview : t.writing}
          </button>
        ))}
      </div>
      {isPreview && !errors['body'] ? (
        <div className={fieldStyles.preview}>
          <Suspense>
            <Markdown text={values.body} level={3} />
          </Suspense>
        </div>
      ) : (
        <TextArea
          label={t.body}
          name="body"
          hint={
            <>
              {t.bodyHint} <Counter length={lengthOf(values.body)} max={BODY_MAX} />
            </>
          }
          value={values.body}
          error={errors['body']}
          style={{ minHeight: 320 }}
          onChange={({ target }) => change({ body: target.value })}
        />
      )}
    </div>
  )
}

interface TagsFieldProps {
  tags: readonly string[]
  onChange: (tags: readonly string[]) => void
  error?: string | undefined
}

function TagsField({ tags, onChange, error }: TagsFieldProps) {
  const t = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  const { typed, said, remove, ...typing } = useTyping(tags, onChange)
  const hint = tags.length >= TAGS_MAX ? t.tagsFull(TAGS_MAX) : t.tagsHint(tags.length, TAGS_MAX)
  return (
    <>
      <Field label={t.tags} hint={hint} error={error}>
        <div className={fieldStyles.box} data-invalid={error}>
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
              className={fieldStyles.input}
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

/** State and event handlers of the tag field. `said` is the announcement for screen readers. */
function useTyping(tags: readonly string[], onChange: TagsFieldProps['onChange']) {
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
  // Handles commas in the text, because a comma that ends a composition fires no key event.
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
    <ul className={fieldStyles.chips}>
      {tags.map((tag) => (
        <li key={tag} className={fieldStyles.chip}>
          #{tag}
          <button
            type="button"
            className={fieldStyles.remove}
            aria-label={t.removeTag(tag)}
            onClick={() => onRemove(tag)}
          >
            <X />
          </button>
        </li>
      ))}
    </ul>
  )
}
