/** Entries of the account menu. The file loads on first use, because most visits never open the menu. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Code,
  Info,
  Gavel,
  Languages,
  Library,
  LogOut,
  Monitor,
  Moon,
  Settings,
  Shield,
  SunMedium,
  Ticket,
  User,
} from 'lucide-react'
import type { ReactElement } from 'react'
import { useFace } from '../device/face.ts'
import { type Language, type Theme, changeLook, useLook } from '../language/look.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useSite } from '../session/site.ts'
import { may, openQuery, useViewer } from '../session/viewer.ts'
import { MenuPopup } from '../ui/Popups.tsx'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'

const OTHER_THEME: Record<Theme, Theme> = { light: 'dark', dark: 'light' }
const OTHER_LANGUAGE: Record<Language, Language> = { ko: 'en', en: 'ko' }

export function OwnItems({ trigger }: { trigger: ReactElement<Record<string, unknown>> }) {
  const own = useOwnItems()
  const look = useLookItems()
  return <MenuPopup groups={[own.pages, look, own.end]} trigger={trigger} />
}

function useOwnItems() {
  const t = useTexts(texts)
  const viewer = useViewer()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const said = useTexts(uiTexts)
  const isModerator = may(viewer, 'moderate')
  const isStaff = may(viewer, 'members') || may(viewer, 'site')
  // Links to the viewer's invites only while registration is by approval or invite. Staff get no such link, because the
  // admin pages list all invites.
  const mayInvite = /approval|invite/.test(useSite()?.registration ?? '') && !isStaff
  const { data } = useQuery({ ...openQuery, enabled: isModerator })
  const open = data ? data.open_cases + data.open_appeals : 0
  if (!viewer) return { pages: [], end: [] }
  const signOut = async () => {
    try {
      await plaza.signOut()
    } catch (error) {
      toast(`${t.notSignedOut} ${problemText(error, said)}`, { isBad: true })
      return
    }
    queries.clear()
    await navigate({ to: '/' })
    toast(t.signedOut)
  }
  return {
    pages: [
      { label: t.profile, icon: <User />, to: `/creators/${viewer.handle}` },
      { label: t.library, icon: <Library />, to: '/library' },
      { label: t.account, icon: <Settings />, to: '/account' },
      { label: t.devconsole, icon: <Code />, to: '/devconsole' },
      ...(isModerator ? [{ label: t.moderation(open), icon: <Gavel />, to: '/moderation' }] : []),
      ...(mayInvite ? [{ label: t.invites, icon: <Ticket />, to: '/invites' }] : []),
      ...(isStaff ? [{ label: t.admin, icon: <Shield />, to: '/admin' }] : []),
    ],
    end: [{ label: t.signOut, icon: <LogOut />, onClick: () => void signOut() }],
  }
}

function useLookItems() {
  const t = useTexts(texts)
  const { theme, language } = useLook()
  const { name } = useFace()
  const shown = theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  const opposite = OTHER_THEME[shown]
  return [
    {
      label: t[opposite],
      icon: opposite === 'dark' ? <Moon /> : <SunMedium />,
      onClick: () => changeLook({ theme: opposite }),
    },
    ...(theme
      ? [{ label: t.system, icon: <Monitor />, onClick: () => changeLook({ theme: undefined }) }]
      : []),
    {
      label: t.otherLanguage,
      icon: <Languages />,
      onClick: () => changeLook({ language: OTHER_LANGUAGE[language] }),
    },
    { label: t.about(name), icon: <Info />, to: '/about' },
    // The AGPL (section 13) requires that every visitor can download the source.
    { label: t.source, icon: <Code />, onClick: () => location.assign('/source') },
  ]
}

const texts = defineTexts({
  signOut: ['로그아웃', 'Sign out'],
  signedOut: ['로그아웃했어요', 'Signed out'],
  notSignedOut: ['로그아웃하지 못했어요.', "Couldn't sign you out."],
  profile: ['내 프로필', 'Your profile'],
  library: ['라이브러리', 'Library'],
  account: ['계정 설정', 'Account settings'],
  devconsole: ['개발자 콘솔', 'Developer console'],
  moderation: (open: number) => [
    open > 0 ? `운영 데스크 (${open})` : '운영 데스크',
    open > 0 ? `Moderation (${open})` : 'Moderation',
  ],
  invites: ['내 초대', 'Your invites'],
  admin: ['관리', 'Admin'],
  light: ['밝은 화면으로', 'Use the light theme'],
  dark: ['어두운 화면으로', 'Use the dark theme'],
  system: ['시스템 설정 따르기', 'Use system setting'],
  otherLanguage: ['English', '한국어'],
  about: (name: string) => [`${name} 소개`, `About ${name}`],
  source: ['소스 코드 받기', 'Get the source code'],
})
