import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../language/look.ts'
import { useTexts } from '../../language/texts.ts'
import { Checkbox } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from '../console.module.css'
import { eventTypesQuery } from '../queries.ts'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

interface Props {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  error?: string | undefined
}

/** Checkboxes for event types, each with its description and a sample. */
export function EventChoice({ chosen, onChange, error }: Props) {
  const t = useTexts(texts)
  const query = useQuery(eventTypesQuery(useLanguage()))
  return (
    <fieldset className={styles.set}>
      <legend>{t.events}</legend>
      <p className={styles.hint}>{t.eventsHint}</p>
      <div className={styles.options}>
        {query.isPending &&
          Array.from({ length: 7 }, (_, at) => <Skeleton key={at} height="60px" />)}
        {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
        {query.data?.map(({ name, description, sample }) => (
          <div key={name} className={own.event}>
            <Checkbox
              label={<code>{name}</code>}
              hint={description}
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
            <details>
              <summary aria-label={t.sampleOf(name)}>{t.sample}</summary>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
              <pre tabIndex={0} aria-label={t.sampleOf(name)}>
                {JSON.stringify(sample, null, 2)}
              </pre>
            </details>
          </div>
        ))}
      </div>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
