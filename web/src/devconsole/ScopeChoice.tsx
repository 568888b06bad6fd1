import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Checkbox } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './console.module.css'
import { scopesQuery } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  hint: string
  error?: string | undefined
  /** Scopes to offer. Default: all scopes. */
  among?: readonly string[]
}

/** Checkboxes for scopes, each with its description. */
export function ScopeChoice({ chosen, onChange, hint, error, among }: Props) {
  const t = useTexts(texts)
  const query = useQuery(scopesQuery(useLanguage()))
  const scopes = query.data?.filter(({ name }) => !among || among.includes(name))
  return (
    <fieldset className={styles.set}>
      <legend>{t.scopes}</legend>
      <p className={styles.hint}>{hint}</p>
      <div className={`${styles.options} ${styles.pair}`}>
        {query.isPending &&
          Array.from({ length: among?.length ?? 7 }, (_, at) => (
            <Skeleton key={at} height="44px" />
          ))}
        {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
        {scopes?.map(({ name, description }) => (
          <Checkbox
            key={name}
            label={<code>{name}</code>}
            hint={description}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
        {scopes?.length === 0 && <p className={styles.hint}>{t.noScopes}</p>}
      </div>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
