import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import styles from './console.module.css'

interface Props<T> {
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
export function Listing<T>({ query, create, empty, form, frame, below, children }: Props<T>) {
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
