import { useState } from 'react'
import { veilTexts } from '../contents/stage.tsx'
import { defineTexts, useTexts } from '../language/texts.ts'
import { Checkbox, Field, FieldInput, Options, Radios, Select, TextField } from '../ui/Field.tsx'
import fieldStyles from '../ui/Field.module.css'
import { Panel } from '../ui/Panel.tsx'
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
  const t = useTexts(texts)
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
        onChange={({ target }) => change({ rating: target.value as ContentValues['rating'] })}
      >
        <Options entries={RATINGS.map((name) => [name, t.ratings[name]])} />
      </Select>
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
        onChange={({ target }) =>
          change({ comment_policy: target.value as ContentValues['comment_policy'] })
        }
      >
        <Options entries={POLICIES.map((name) => [name, t.policies[name]])} />
      </Select>
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
  const t = useTexts(texts)
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

const texts = defineTexts({
  audience: ['공개 설정', 'Audience'],
  visibility: ['누가 볼 수 있나요?', 'Who can see it?'],
  visibilities: {
    public: ['전체 공개', 'Everyone'],
    unlisted: ['링크가 있는 사람만', 'Anyone with the link'],
    followers: ['팔로워만', 'Followers'],
  },
  filesStayOpen: [
    '파일 주소를 아는 사람은 파일을 열 수 있어요.',
    "Anyone who knows a file's address can open the file.",
  ],
  schedule: ['예약 공개', 'Publish later'],
  publishAt: ['공개 시각', 'Publish at'],
  publishAtHint: [
    '초안으로 저장하면 이 시각에 자동으로 공개해요.',
    "Save it as a draft, and we'll publish it at this time.",
  ],
  rating: ['이용 등급', 'Rating'],
  ratings: {
    everyone: ['전체 이용가', 'Everyone'],
    teen: ['청소년 이상', 'Teens and up'],
    adult: ['성인만', 'Adults only'],
  },
  ratingLocked: [
    '운영진이 정한 등급보다 낮출 수 없어요.',
    'Moderators set the lowest rating you can choose.',
  ],
  warnings: ['미리 알릴 내용 (선택)', 'Content warnings (optional)'],
  warningText: ['알림 문구 (선택)', 'Warning text (optional)'],
  comments: ['댓글', 'Comments'],
  policies: {
    everyone: ['누구나', 'Everyone'],
    followers: ['팔로워만', 'Followers'],
    closed: ['받지 않기', 'No one'],
  },
  embedding: ['다른 사이트에서 재생 허용', 'Other sites may embed it'],
})
