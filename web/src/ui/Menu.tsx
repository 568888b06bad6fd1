import { Menu as Base } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import styles from './Dialog.module.css'

export interface MenuItem {
  label: string
  icon?: ReactNode
  /** Path that the item opens. An item has either `to` or `onClick`. */
  to?: string
  onClick?: () => void
  isDangerous?: boolean
}

interface Props {
  trigger: ReactElement<Record<string, unknown>>
  /** A line separates the groups. */
  groups: readonly (readonly MenuItem[])[]
  side?: 'top' | 'bottom' | 'right'
  /** Opens the menu on its first render, because its code loaded after the click. */
  isOpenAtFirst?: boolean
  onOpen?: () => void
}

export function Menu({ trigger, groups, side = 'bottom', isOpenAtFirst = false, onOpen }: Props) {
  const navigate = useNavigate()
  return (
    <Base.Root
      modal={false}
      defaultOpen={isOpenAtFirst}
      onOpenChange={(isOpen) => isOpen && onOpen?.()}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align="end" sideOffset={6} className={styles.place}>
          <Base.Popup className={styles.menuPopup}>
            {groups
              .filter((group) => group.length > 0)
              .map((group, index) => (
                <Base.Group key={group[0]?.label} className={index > 0 ? styles.apart : undefined}>
                  {group.map(({ label, icon, to, onClick, isDangerous }) => (
                    <Base.Item
                      key={label}
                      className={`${styles.item} ${isDangerous ? styles.danger : ''}`}
                      onClick={() => (to === undefined ? onClick?.() : void navigate({ to }))}
                    >
                      {icon}
                      {label}
                    </Base.Item>
                  ))}
                </Base.Group>
              ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
