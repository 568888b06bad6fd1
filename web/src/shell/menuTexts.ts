import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    signOut: '로그아웃',
    signedOut: '로그아웃했어요',
    notSignedOut: '로그아웃하지 못했어요.',
    profile: '내 프로필',
    library: '라이브러리',
    account: '계정 설정',
    devconsole: '개발자 콘솔',
    admin: '관리',
    light: '밝은 화면으로',
    dark: '어두운 화면으로',
    system: '시스템 설정 따르기',
    otherLanguage: 'English',
    source: '소스 코드 받기',
  },
  en: {
    signOut: 'Sign out',
    signedOut: 'Signed out',
    notSignedOut: "Couldn't sign you out.",
    profile: 'Your profile',
    library: 'Library',
    account: 'Account settings',
    devconsole: 'Developer console',
    admin: 'Admin',
    light: 'Use the light theme',
    dark: 'Use the dark theme',
    system: 'Use system setting',
    otherLanguage: '한국어',
    source: 'Get the source code',
  },
})
