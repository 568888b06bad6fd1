import { useId } from 'react'
import type { InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import styles from './Account.module.css'
import { texts } from './dataTexts.ts'

export type Choices = Pick<InputOf<'scheduleDeletion'>, 'contents' | 'texts'>

interface Props {
  choices: Choices
  onChange: (choices: Choices) => void
}

/** Choices to erase or keep the contents and the texts of an account that is deleted. */
export function ErasureChoices({ choices, onChange }: Props) {
  const t = useTexts(texts)
  const group = useId()
  return (['contents', 'texts'] as const).map((part) => (
    <fieldset key={part} className={styles.choice}>
      <legend>{t[part]}</legend>
      <div className={styles.options}>
        {(['erase', 'keep'] as const).map((option) => (
          <label key={option} className={styles.option}>
            <input
              type="radio"
              name={`${group}${part}`}
              checked={choices[part] === option}
              onChange={() => onChange({ ...choices, [part]: option })}
            />
            {t[option]}
          </label>
        ))}
      </div>
    </fieldset>
  ))
}
