/** Menus. Most visits open none, so their code loads on the first use of the page or of a menu. */
import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../device/connected.ts'

export interface MenuItem {
  label: string
  icon?: ReactNode
  /** Path that the item opens. An item has either `to` or `onClick`. */
  to?: string
  onClick?: () => void
  isDangerous?: boolean
}

export interface MenuProps {
  trigger: ReactElement<Record<string, unknown>>
  /** A line separates the groups. */
  groups: readonly (readonly MenuItem[])[]
  side?: 'top' | 'bottom'
  onOpen?: () => void
}

export const MenuPopup = lazyPart<MenuProps, 'MenuPopup'>(() => import('./Popups.tsx'), 'MenuPopup')

export function Menu(props: MenuProps) {
  const { trigger, onOpen } = props
  const [isUsed, setIsUsed] = useState(false)
  // The button stays visible and focused until the code has loaded.
  const open = async () => {
    await MenuPopup.preload()
    onOpen?.()
    setIsUsed(true)
  }
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => void open(),
  })
  return <Suspense fallback={button}>{isUsed ? <MenuPopup {...props} /> : button}</Suspense>
}
