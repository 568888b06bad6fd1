/** One's own pages, how it all looks, and the way out. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Code,
  Languages,
  Library,
  LogOut,
  Monitor,
  Moon,
  Settings,
  Shield,
  SunMedium,
  SwatchBook,
  User,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { whenConnected } from '../device/connected.ts'
import { changeLook, type Language, type Theme, useLook } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { toast } from '../ui/toast.ts'
import styles from './OwnMenu.module.css'
import { texts } from './texts.ts'

/** Loaded when it is first opened: most visits do without. */
const Menu = lazy(async () => ({
  default: (await whenConnected(() => import('../ui/Menu.tsx'))).Menu,
}))
const OTHER_THEME: Record<Theme, Theme> = { light: 'dark', dark: 'light' }
const OTHER_LANGUAGE: Record<Language, Language> = { ko: 'en', en: 'ko' }

interface Props {
  side: 'top' | 'bottom'
  /** Shows the name beside the picture where there is room. */
  isLabelled?: boolean
}

export function OwnMenu({ side, isLabelled }: Props) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const own = useOwnItems()
  const look = useLookItems()
  const [isWanted, setIsWanted] = useState(false)
  // What is heard has in it what is seen.
  const whose = viewer && isLabelled ? `${t.menu}, ${viewer.display_name}` : t.menu
  const trigger = (
    <button
      type="button"
      className={styles.trigger}
      aria-label={viewer ? whose : t.settings}
      aria-haspopup="menu"
      onClick={() => setIsWanted(true)}
    >
      {viewer ? <Avatar person={viewer} size={28} /> : <SwatchBook aria-hidden="true" />}
      {isLabelled && (
        <span className={styles.name}>{viewer ? viewer.display_name : t.settings}</span>
      )}
    </button>
  )
  if (!isWanted) return trigger
  return (
    <Suspense fallback={trigger}>
      <Menu side={side} groups={[own.pages, look, own.end]} trigger={trigger} isOpenAtFirst />
    </Suspense>
  )
}

function useOwnItems() {
  const t = useTexts(texts)
  const viewer = useViewer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  if (!viewer) return { pages: [], end: [] }
  const signOut = async () => {
    await plaza.logout()
    queries.clear()
    toast(t.signedOut)
    await navigate({ to: '/' })
  }
  return {
    pages: [
      { label: t.profile, icon: <User />, to: `/creators/${viewer.handle}` },
      { label: t.library, icon: <Library />, to: '/library' },
      { label: t.account, icon: <Settings />, to: '/account' },
      { label: t.devconsole, icon: <Code />, to: '/devconsole' },
      ...(viewer.role === 'admin' ? [{ label: t.admin, icon: <Shield />, to: '/admin' }] : []),
    ],
    end: [{ label: t.signOut, icon: <LogOut />, onClick: () => void signOut() }],
  }
}

function useLookItems() {
  const t = useTexts(texts)
  const { theme, language } = useLook()
  const shown = theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  const other = OTHER_THEME[shown]
  return [
    {
      label: t[other],
      icon: other === 'dark' ? <Moon /> : <SunMedium />,
      onClick: () => changeLook({ theme: other }),
    },
    ...(theme
      ? [{ label: t.system, icon: <Monitor />, onClick: () => changeLook({ theme: undefined }) }]
      : []),
    {
      label: t.otherLanguage,
      icon: <Languages />,
      onClick: () => changeLook({ language: OTHER_LANGUAGE[language] }),
    },
  ]
}
