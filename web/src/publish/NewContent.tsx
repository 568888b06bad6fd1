import { Clapperboard, Gamepad2, Sparkles } from 'lucide-react'
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import type { Upload } from '#sdk'
import { texts as contentTexts } from '../contents/texts.ts'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/viewer.ts'
import { fieldErrorsOf, focusField, Options, Select, TextArea } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Audience } from './Audience.tsx'
import { categoriesOf, type Category, type ContentType, type ContentValues } from './content.ts'
import { ContentFields } from './ContentFields.tsx'
import { Ending, Preview, SaveNote, useObstacle, useWords } from './Ending.tsx'
import { FilePicture, Files } from './FileList.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import { ThumbnailField } from './ThumbnailField.tsx'
import { isUnderWay } from './uploads.ts'
import type { usePublishing } from './usePublishing.ts'

interface Props {
  publishing: ReturnType<typeof usePublishing>
  type: ContentType
}

export function NewContent({ publishing, type }: Props) {
  const { uploads, thumbnail, content, category, save, mistakes } = publishing
  const form = useRef<HTMLFormElement>(null)
  const [submitted, setSubmitted] = useState(false)
  const obstacle = useObstacle(publishing, type)
  const words = useWords(submitted ? mistakes : {})
  const errors = { ...fieldErrorsOf(save.error), ...words }
  const isSending = isUnderWay([...uploads.entries, ...thumbnail.entries])
  const [wanted, setWanted] = useState<'publish' | 'draft'>()
  const submit = (as: 'publish' | 'draft') => {
    setSubmitted(true)
    setWanted(undefined)
    const [mistake] = Object.keys(mistakes)
    if (mistake) focusField(form.current, mistake)
    if (mistake || obstacle || save.isPending) return
    if (isSending) {
      setWanted(as)
      return
    }
    asMember(() => save.mutate(as === 'publish'))
  }
  const busy = save.isPending ? (save.variables ? 'publish' : 'draft') : wanted
  // Submits when the uploads are done, if the user has pressed a button while they ran.
  const goOn = useEffectEvent(() => wanted && submit(wanted))
  useEffect(() => {
    if (!isSending) goOn()
  }, [isSending])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // Enter saves a draft, so that it publishes nothing by accident.
    submit('draft')
  }
  useEffect(() => {
    // Focuses the form, because the button that opened the form no longer exists.
    if (document.activeElement === document.body) form.current?.focus()
  }, [])
  return (
    <form ref={form} tabIndex={-1} className={styles.columns} onSubmit={onSubmit} noValidate>
      <Parts publishing={publishing} type={type} errors={errors} />
      <div className={styles.aside}>
        <Preview values={content} type={type} category={category} cover={coverOf(publishing)} />
        <Ending
          obstacle={submitted ? obstacle : undefined}
          error={save.error}
          busy={{ publish: busy === 'publish', save: busy === 'draft' }}
          isWaiting={wanted !== undefined}
          onPublish={() => submit('publish')}
          onAgain={() => submit(save.variables ? 'publish' : 'draft')}
        />
      </div>
      <SaveNote state={publishing.saveState} />
    </form>
  )
}

interface PartsProps extends Props {
  errors: Partial<Record<string, string>>
}

function Parts({ publishing, type, errors }: PartsProps) {
  const t = useTexts(texts)
  const { content, change, uploads, thumbnail, category } = publishing
  const edited = { values: content, change, errors }
  return (
    <div className={styles.main}>
      <Files publishing={publishing} type={type} error={errors['upload_ids']} />
      <section className={styles.fields} aria-labelledby="category">
        <h2 id="category">{t.category}</h2>
        <CategoryField
          type={type}
          value={category}
          onChange={(chosen) => change({ category: chosen })}
        />
      </section>
      <ContentFields {...edited} hasBody={type === 'article'} />
      <Audience {...edited} canSchedule />
      {type === 'game' && (
        <GameFields
          {...edited}
          bundle={uploads.entries.find(({ upload }) => upload?.bundle)?.upload?.bundle ?? null}
        />
      )}
      <Panel title={t.thumbnail}>
        <ThumbnailField uploads={thumbnail} error={errors['thumbnail_upload_id']} />
      </Panel>
    </div>
  )
}

function coverOf({ thumbnail, uploads: { entries } }: Props['publishing']): ReactNode {
  const shown =
    thumbnail.entries[0] ??
    entries.find(({ kind }) => kind === 'picture') ??
    entries.find(({ kind }) => kind === 'video')
  return shown?.preview && <FilePicture key={shown.key} entry={shown} />
}

const ORIENTATIONS = ['any', 'landscape', 'portrait'] as const

type BundleInfo = NonNullable<Upload['bundle']>

interface GameFieldsProps extends Omit<ComponentProps<typeof ContentFields>, 'hasBody'> {
  /** Bundle of the uploaded game. Null until the upload is complete. */
  bundle: BundleInfo | null
}

function GameFields({ values, change, errors, bundle }: GameFieldsProps) {
  const t = useTexts(texts)
  return (
    <Panel title={t.playing}>
      <Select
        label={t.orientation}
        value={values.orientation}
        onChange={({ target }) =>
          change({ orientation: target.value as ContentValues['orientation'] })
        }
      >
        <Options entries={ORIENTATIONS.map((name) => [name, t.orientations[name]])} />
      </Select>
      <TextArea
        label={t.controls}
        name="controls"
        hint={t.controlsHint}
        placeholder={t.controlsSample}
        value={values.controls}
        error={errors['controls']}
        rows={4}
        onChange={({ target }) => change({ controls: target.value })}
      />
      {bundle && bundle.pages.length > 1 && (
        <Select
          label={t.entry}
          name="entry"
          value={values.entry}
          error={errors['game']}
          onChange={({ target }) => change({ entry: target.value })}
        >
          <option value="">{t.entryByItself(bundle.entry ?? '')}</option>
          <Options entries={bundle.pages.map((page) => [page, page])} />
        </Select>
      )}
      {bundle && bundle.warnings.length > 0 && <Warnings warnings={bundle.warnings} />}
    </Panel>
  )
}

function Warnings({ warnings }: Pick<BundleInfo, 'warnings'>) {
  const t = useTexts(texts)
  return (
    <div className={styles.warnings} role="status">
      <p>{t.absolutePaths}</p>
      <ul>
        {warnings.map(({ path, file }) => (
          <li key={path}>{t.pathInFile(path, file)}</li>
        ))}
      </ul>
      <p>{t.absolutePathsHelp}</p>
    </div>
  )
}

const CATEGORIES = [
  { name: 'hype', Icon: Sparkles },
  { name: 'swipe', Icon: Clapperboard },
  { name: 'jump', Icon: Gamepad2 },
] as const

interface CategoryFieldProps {
  type: ContentType
  value: Category
  onChange: (category: Category) => void
}

function CategoryField({ type, value, onChange }: CategoryFieldProps) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const id = useId()
  const allowed = categoriesOf(type)
  return (
    <fieldset className={styles.group}>
      <legend className="unseen">{t.category}</legend>
      {CATEGORIES.map(({ name, Icon }) => (
        <label key={name} className={styles.choice} data-category={name}>
          <input
            type="radio"
            name={id}
            className={styles.radio}
            checked={value === name}
            disabled={!allowed.includes(name)}
            aria-describedby={`${id}-${name}`}
            onChange={() => onChange(name)}
          />
          <span className={styles.name}>
            <Icon />
            {words.category[name]}
          </span>
          <span id={`${id}-${name}`} className="fine">
            {allowed.includes(name) ? t.about[name] : t.notFor[name]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export function Categories() {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  return (
    <ul className={styles.group}>
      {CATEGORIES.map(({ name, Icon }) => (
        <li key={name} className={styles.choice} data-category={name}>
          <span className={styles.name}>
            <Icon />
            {words.category[name]}
          </span>
          <span className="fine">{t.about[name]}</span>
        </li>
      ))}
    </ul>
  )
}
