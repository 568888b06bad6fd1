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
        {(['test', 'live'] as const).map((environment) => (
          <label key={environment} className={styles.choice}>
            <input
              type="radio"
              name={id}
              checked={chosen === environment}
              onChange={() => onChange(environment)}
              aria-labelledby={`${id}-${environment}`}
              aria-describedby={`${id}-${environment}-hint`}
            />
            <strong id={`${id}-${environment}`}>{t.environments[environment]}</strong>
            <span id={`${id}-${environment}-hint`}>{hints[environment]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
