import { Suspense } from 'react'
import { lazyPart } from '../device/connected.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import type { UserMenuProps } from './UserItems.tsx'

const UserItemsMenu = lazyPart<UserMenuProps, 'UserItemsMenu'>(
  () => import('./UserItems.tsx'),
  'UserItemsMenu',
)

/** Menu with `groups` of items, followed by the actions on the user. Renders nothing for signed-out viewers. */
export function UserMenu(props: UserMenuProps) {
  return (
    useIsSignedIn() && (
      <Suspense>
        <UserItemsMenu {...props} />
      </Suspense>
    )
  )
}
