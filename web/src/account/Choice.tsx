import { type ReactNode, useId } from 'react'
import styles from './Account.module.css'

interface Props<T extends string> {
  title: string
  options: readonly (readonly [T, ReactNode])[]
  value: T
  onChange: (value: T) => void
}

/** Choice of one option. Each option is a card. */
export function Choice<T extends string>({ title, options, value, onChange }: Props<T>) {
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
