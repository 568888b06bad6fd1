import { type ReactNode, useId } from 'react'
import type { InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import styles from './Account.module.css'
import { texts } from './securityAndDataTexts.ts'

interface ChoiceProps<T extends string> {
  title: string
  options: readonly (readonly [T, ReactNode])[]
  value: T
  onChange: (value: T) => void
}

/** Choice of one option. Each option is a card. */
export function Choice<T extends string>({ title, options, value, onChange }: ChoiceProps<T>) {
  const group = useId()
  return (
    <fieldset className={styles.choice}>
      <legend>{title}</legend>
      <div className={styles.options}>
        {options.map(([option, label]) => (
          <label key={option} className={styles.option}>
            <input
              type="radio"
              name={group}
              checked={value === option}
              onChange={() => onChange(option)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SettingProps {
  title: string
  badge?: string | false
  value?: string
  note: string
  /** Buttons that change the value. */
  children?: ReactNode
}

export function Setting({ title, badge, value, note, children }: SettingProps) {
  return (
    <div className={styles.setting}>
      <div>
        <h3 className="bold">
          {title} {badge && <Badge tone="good">{badge}</Badge>}
        </h3>
        {value && <p>{value}</p>}
        <p className="fine">{note}</p>
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}

export type Choices = Pick<InputOf<'scheduleDeletion'>, 'contents' | 'texts'>

interface ErasureProps {
  choices: Choices
  onChange: (choices: Choices) => void
}

/** Choices to erase or keep the contents and the texts of an account that is deleted. */
export function ErasureChoices({ choices, onChange }: ErasureProps) {
  const t = useTexts(texts)
  return (['contents', 'texts'] as const).map((part) => (
    <Choice
      key={part}
      title={t[part]}
      options={(['erase', 'keep'] as const).map((option) => [option, t[option]])}
      value={choices[part]}
      onChange={(option) => onChange({ ...choices, [part]: option })}
    />
  ))
}
