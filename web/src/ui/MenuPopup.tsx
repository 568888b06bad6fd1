import { Menu as Base } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import styles from './Dialog.module.css'
import type { MenuProps } from './Menu.tsx'

/** Trigger button and its menu, which is open on the first render. */
export function MenuPopup({ trigger, groups, side = 'bottom', onOpen }: MenuProps) {
  const navigate = useNavigate()
  return (
    <Base.Root modal={false} defaultOpen onOpenChange={(isOpen) => isOpen && onOpen?.()}>
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
