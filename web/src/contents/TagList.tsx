import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface Props extends Pick<ComponentProps<'ul'>, 'className' | 'aria-label'> {
  tags: readonly string[]
  linkClass?: string | undefined
}

/** Links to the pages of tags. Renders nothing without tags. */
export function TagList({ tags, linkClass, ...list }: Props) {
  if (tags.length === 0) return null
  return (
    <ul {...list}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link to="/tags/$tag" params={{ tag }} className={linkClass}>
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
