import { useId } from 'react'
import { useTexts } from '../../language/texts.ts'
import styles from '../console.module.css'
import { texts } from './texts.ts'

type Environment = 'live' | 'test'

interface Props {
  chosen: Environment
  onChange: (environment: Environment) => void
}

export function EnvironmentChoice({ chosen, onChange }: Props) {
  const t = useTexts(texts)
  const id = useId()
  const hints = { test: t.testHint, live: t.liveHint }
  return (
    <fieldset className={styles.set}>
      <legend>{t.environment}</legend>
      <div className={styles.choices}>
        {(['test', 'live'] as const).map((one) => (
          <label key={one} className={styles.choice}>
            <input
              type="radio"
              name={id}
              checked={chosen === one}
              onChange={() => onChange(one)}
              aria-labelledby={`${id}-${one}`}
              aria-describedby={`${id}-${one}-hint`}
            />
            <strong id={`${id}-${one}`}>{t.environments[one]}</strong>
            <span id={`${id}-${one}-hint`}>{hints[one]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
