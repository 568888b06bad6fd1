import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { Counter } from '../ui/Counter.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import styles from './Publish.module.css'
import { TagsField } from './TagsField.tsx'
import { texts } from './texts.ts'
import { BODY_MAX, DESCRIPTION_MAX, TITLE_MAX, type Work } from './content.ts'

interface Props {
  work: Work
  change: (change: Partial<Work>) => void
  /** Error messages by field. */
  errors: Partial<Record<string, string>>
  hasBody: boolean
}

/** Fields for title, description and tags. For articles, also for the text. */
export function ContentFields({ work, change, errors, hasBody }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.fields}>
      <TextField
        label={t.title}
        name="title"
        hint={<Counter length={lengthOf(work.title)} max={TITLE_MAX} />}
        value={work.title}
        error={errors['title']}
        required
        autoComplete="off"
        onChange={({ target }) => change({ title: target.value })}
      />
      {hasBody && (
        <TextArea
          label={t.body}
          name="body"
          hint={
            <>
              {t.bodyHint} <Counter length={lengthOf(work.body)} max={BODY_MAX} />
            </>
          }
          value={work.body}
          error={errors['body']}
          style={{ minHeight: 320 }}
          onChange={({ target }) => change({ body: target.value })}
        />
      )}
      <TextArea
        label={hasBody ? t.summary : t.description}
        name="description"
        hint={<Counter length={lengthOf(work.description)} max={DESCRIPTION_MAX} />}
        value={work.description}
        error={errors['description']}
        rows={hasBody ? 2 : 4}
        onChange={({ target }) => change({ description: target.value })}
      />
      <TagsField tags={work.tags} error={errors['tags']} onChange={(tags) => change({ tags })} />
    </div>
  )
}
