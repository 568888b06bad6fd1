import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface Props extends Pick<ComponentProps<'a'>, 'className' | 'title' | 'children'> {
  handle: string
}

/** Link to the profile of a user. */
export function UserLink({ handle, ...link }: Props) {
  return <Link to="/creators/$handle" params={{ handle }} {...link} />
}
