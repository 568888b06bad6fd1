import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Checkbox, FieldError } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './console.module.css'
import { scopesQuery } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  hint: string
  error?: string | undefined
  among?: readonly string[]
}

export function ScopeChoice({ chosen, onChange, hint, error, among }: Props) {
  const t = useTexts(texts)
  const query = useQuery(scopesQuery(useLanguage()))
  const scopes = query.data?.filter(({ name }) => !among || among.includes(name))
  return (
    <fieldset className={styles.set}>
      <legend className="bold">{t.scopes}</legend>
      <p className="fine">{hint}</p>
      <div className={`${styles.options} ${styles.pair}`}>
        {query.isPending &&
          Array.from({ length: among?.length ?? 7 }, (_, index) => (
            <Skeleton key={index} height="44px" />
          ))}
        {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
        {scopes?.map(({ name, description }) => (
          <Checkbox
            key={name}
            label={<code>{name}</code>}
            hint={description}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...chosen, name] : chosen.filter((scope) => scope !== name),
              )
            }
          />
        ))}
        {scopes?.length === 0 && <p className="fine">{t.noScopes}</p>}
      </div>
      <FieldError>{error}</FieldError>
    </fieldset>
  )
}

/** Number of scopes that fit into two lines on a phone. */
const BRIEF = 2

interface ScopeListProps {
  scopes: readonly string[]
  /** Scopes of the app. A listed scope that the app lacks has no effect and is struck out. */
  within?: readonly string[]
  lostLabel?: string
}

export function ScopeList({ scopes, within, lostLabel }: ScopeListProps) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  if (scopes.length === 0) return <span className={styles.muted}>{t.noScopes}</span>
  const isLong = scopes.length > BRIEF
  const others = scopes.length - 1
  return (
    <span className={styles.scopes}>
      {(isLong && !isOpen ? scopes.slice(0, 1) : scopes).map((scope) =>
        within && !within.includes(scope) ? (
          <s key={scope} title={lostLabel}>
            <code>{scope}</code>
          </s>
        ) : (
          <code key={scope}>{scope}</code>
        ),
      )}
      {isLong && (
        <button
          type="button"
          className={styles.others}
          aria-expanded={isOpen}
          aria-label={isOpen ? t.fewScopes : t.otherScopes(others)}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.less : `+${others}`}
        </button>
      )}
    </span>
  )
}
