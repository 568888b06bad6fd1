/** Parts that several pages of the console share: lists with a form, scopes, and secrets shown once. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { SaveFirst } from '../account/SaveFirst.tsx'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox, FieldError } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Code } from '../ui/Panel.tsx'
import { Empty, Loaded, Problem } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import styles from './console.module.css'
import { scopesQuery } from './queries.ts'
import { texts } from './texts.ts'

interface ListingProps<T> {
  query: UseQueryResult<T[]>
  /** Label of the button that opens the form. */
  create: string
  empty: Omit<ComponentProps<typeof Empty>, 'action'>
  form: (close: () => void) => ReactNode
  /** Lays out the button and the list on the page. */
  frame: (button: ReactNode, list: ReactNode) => ReactNode
  below?: ReactNode
  children: (entries: T[]) => ReactNode
}

/** A list with a button that opens a form for new entries. */
export function Listing<T>({
  query,
  create,
  empty,
  form,
  frame,
  below,
  children,
}: ListingProps<T>) {
  const { data } = query
  const [isCreating, setIsCreating] = useState(false)
  const isEmpty = data?.length === 0
  const button = !isCreating && (
    <Button look="primary" icon={<Plus />} onClick={() => setIsCreating(true)}>
      {create}
    </Button>
  )
  return frame(
    // When the list is empty, `Empty` below contains the button.
    data && !isEmpty && button,
    <>
      {isCreating && form(() => setIsCreating(false))}
      <div className={isCreating ? styles.stack : undefined}>
        <Loaded query={query} skeleton={<TableSkeleton />}>
          {(entries) =>
            isEmpty ? button && <Empty {...empty} action={button} /> : children(entries)
          }
        </Loaded>
      </div>
      {data && !isEmpty && !isCreating && below}
    </>,
  )
}

interface BarProps {
  title: string
  lead: string
  children?: ReactNode
}

export function Bar({ title, lead, children }: BarProps) {
  return (
    <div className={styles.bar}>
      <div>
        <h2>{title}</h2>
        <p className={styles.muted}>{lead}</p>
      </div>
      {children}
    </div>
  )
}

interface ScopeChoiceProps {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  hint: string
  error?: string | undefined
  among?: readonly string[]
}

export function ScopeChoice({ chosen, onChange, hint, error, among }: ScopeChoiceProps) {
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

interface Secret {
  label: string
  hint?: ReactNode
  /** Null when the server replays an earlier response, because replays omit secrets. */
  value: string | null
}

interface OnceProps {
  title: string
  secrets: readonly Secret[]
  onClose: () => void
  children?: ReactNode
}

/**
 * Dialog with secrets that the server sends only once. Closing requires confirming that they were saved, unless
 * the server has omitted one.
 */
export function Once({ title, secrets, onClose, children }: OnceProps) {
  const t = useTexts(texts)
  const isLost = secrets.some(({ value }) => value === null)
  return (
    <SaveFirst
      title={title}
      description={isLost ? t.onceLost : t.onceHelp}
      words={{ saved: t.onceSaved, first: t.onceFirst, done: t.done }}
      isEmpty={isLost}
      onClose={onClose}
    >
      <div className={styles.secrets}>
        {secrets.map(
          ({ label, hint, value }) =>
            value !== null && (
              <div key={label} className={styles.once}>
                <Code text={value} label={label} />
                {hint && <p className="fine">{hint}</p>}
              </div>
            ),
        )}
        {!isLost && children}
      </div>
    </SaveFirst>
  )
}
