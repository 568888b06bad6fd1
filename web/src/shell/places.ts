import {
  Bookmark,
  Clapperboard,
  Gamepad2,
  House,
  type LucideIcon,
  Sparkles,
  Users,
} from 'lucide-react'

export interface Place {
  to: '/' | '/hype' | '/swipe' | '/jump' | '/community' | '/library'
  name: 'home' | 'hype' | 'swipe' | 'jump' | 'community' | 'library'
  Icon: LucideIcon
  category?: 'hype' | 'swipe' | 'jump'
}

export const PUBLIC_PLACES: readonly Place[] = [
  { to: '/', name: 'home', Icon: House },
  { to: '/hype', name: 'hype', Icon: Sparkles, category: 'hype' },
  { to: '/swipe', name: 'swipe', Icon: Clapperboard, category: 'swipe' },
  { to: '/jump', name: 'jump', Icon: Gamepad2, category: 'jump' },
  { to: '/community', name: 'community', Icon: Users },
]

/** Link to the library for signed-in users: in the rail of wide windows, and in the account menu on phones. */
export const LIBRARY: Place = { to: '/library', name: 'library', Icon: Bookmark }

export const OWN_PLACES = [
  { to: '/notifications', name: 'notifications' },
  { to: '/messages', name: 'messages' },
  LIBRARY,
] as const
