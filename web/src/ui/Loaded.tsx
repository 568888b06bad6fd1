import type { ReactNode } from 'react'
import { Problem } from './Problem.tsx'

interface Props<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** Shows the data of a query. Before that, shows the skeleton, or the error with a retry button. */
export function Loaded<T>({ query: { data, error, refetch }, skeleton, children }: Props<T>) {
  if (data !== undefined) return children(data)
  return error ? <Problem error={error} retry={() => void refetch()} /> : skeleton
}
