import { useState } from 'react'
import { veilTexts } from '../contents/veil.tsx'
import { useTexts } from '../language/texts.ts'
import { Checkbox, Field, FieldInput, Radios, Select, TextField } from '../ui/Field.tsx'
import fieldStyles from '../ui/Field.module.css'
import { Panel } from '../ui/Panel.tsx'
import { audienceTexts } from './audienceTexts.ts'
import { type ContentValues, localTimeOf } from './content.ts'
import styles from './Publish.module.css'

const VISIBILITIES = ['public', 'unlisted', 'followers'] as const
const RATINGS = ['everyone', 'teen', 'adult'] as const
const POLICIES = ['everyone', 'followers', 'closed'] as const
const WARNINGS = [
  'violence',
  'nudity',
  'sexual',
  'language',
  'drugs',
  'gambling',
  'horror',
  'flashing',
] as const

interface Props {
  values: ContentValues
  change: (change: Partial<ContentValues>) => void
  errors: Partial<Record<string, string>>
  /** Shows the field for the publication time. True for new content and drafts. */
  canSchedule: boolean
  /** Shows a hint that moderators have set the lowest rating that the author may choose. */
  isRatingLocked?: boolean
}

/** Fields for the visibility, rating, warnings, comments, embedding and publication time of a content item. */
export function Audience({ values, change, errors, canSchedule, isRatingLocked }: Props) {
  const t = useTexts(audienceTexts)
  const words = useTexts(veilTexts)
  const { visibility, rating, warnings, warning_text, comment_policy, embedding } = values
  return (
    <Panel title={t.audience}>
      <Radios
        legend={t.visibility}
        options={VISIBILITIES.map((name) => [name, t.visibilities[name]])}
        value={visibility}
        onChange={(chosen) => change({ visibility: chosen })}
        hint={visibility === 'public' ? undefined : t.filesStayOpen}
      />
      {canSchedule && <Schedule {...{ values, change, errors }} />}
      <Select
        label={t.rating}
        name="rating"
        hint={isRatingLocked ? t.ratingLocked : undefined}
        value={rating}
        error={errors['rating']}
        options={RATINGS.map((name) => [name, t.ratings[name]])}
        onChange={({ target }) => change({ rating: target.value as ContentValues['rating'] })}
      />
      <fieldset className={styles.checks}>
        <legend>{t.warnings}</legend>
        {WARNINGS.map((name) => (
          <Checkbox
            key={name}
            label={words.warning[name]}
            checked={warnings.includes(name)}
            onChange={({ target }) =>
              change({
                warnings: WARNINGS.filter((entry) =>
                  entry === name ? target.checked : warnings.includes(entry),
                ),
              })
            }
          />
        ))}
      </fieldset>
      {warnings.length > 0 && (
        <TextField
          label={t.warningText}
          name="warning_text"
          maxLength={200}
          value={warning_text}
          error={errors['warning_text']}
          onChange={({ target }) => change({ warning_text: target.value })}
        />
      )}
      <Select
        label={t.comments}
        value={comment_policy}
        options={POLICIES.map((name) => [name, t.policies[name]])}
        onChange={({ target }) =>
          change({ comment_policy: target.value as ContentValues['comment_policy'] })
        }
      />
      <Checkbox
        label={t.embedding}
        checked={embedding === 'everywhere'}
        onChange={({ target }) => change({ embedding: target.checked ? 'everywhere' : 'nowhere' })}
      />
    </Panel>
  )
}

const HOUR_MS = 3_600_000

function Schedule({ values, change, errors }: Pick<Props, 'values' | 'change' | 'errors'>) {
  const t = useTexts(audienceTexts)
  const { publish_at } = values
  const [isOpen, setIsOpen] = useState(publish_at !== '')
  return (
    <>
      <Checkbox
        label={t.schedule}
        checked={isOpen}
        onChange={({ target }) => {
          setIsOpen(target.checked)
          const inAnHour = localTimeOf(new Date(Date.now() + HOUR_MS).toISOString())
          change({ publish_at: target.checked ? inAnHour : '' })
        }}
      />
      {isOpen && (
        <Field label={t.publishAt} hint={t.publishAtHint} error={errors['publish_at']}>
          <FieldInput error={errors['publish_at']}>
            <input
              type="datetime-local"
              name="publish_at"
              className={fieldStyles.input}
              value={publish_at}
              onChange={({ target }) => change({ publish_at: target.value })}
            />
          </FieldInput>
        </Field>
      )}
    </>
  )
}
