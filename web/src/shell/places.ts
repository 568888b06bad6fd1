import {
  Bell,
  Bookmark,
  Clapperboard,
  Gamepad2,
  House,
  type LucideIcon,
  MessageCircle,
  Sparkles,
  Users,
} from 'lucide-react'

interface Place {
  to:
    | '/'
    | '/hype'
    | '/swipe'
    | '/jump'
    | '/community'
    | '/notifications'
    | '/messages'
    | '/library'
  name: 'home' | 'hype' | 'swipe' | 'jump' | 'community' | 'notifications' | 'messages' | 'library'
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

export const OWN_PLACES: readonly Place[] = [
  { to: '/notifications', name: 'notifications', Icon: Bell },
  { to: '/messages', name: 'messages', Icon: MessageCircle },
  { to: '/library', name: 'library', Icon: Bookmark },
]
