/** Fixed titles and words for the head of pages. */
import type { Language } from '../messages/language.ts'

interface Titles {
  ko: string
  en: string
  /** Unset for pages that search engines must not list, such as pages that need a session. */
  isIndexed?: true
}

/** Titles by the first segment of the path. */
const TITLES: Record<string, Titles> = {
  notifications: { ko: '알림', en: 'Notifications' },
  messages: { ko: '메시지', en: 'Messages' },
  library: { ko: '라이브러리', en: 'Library' },
  publish: { ko: '올리기', en: 'Publish' },
  account: { ko: '계정 설정', en: 'Account settings' },
  about: { ko: '소개', en: 'About', isIndexed: true },
  rules: { ko: '규칙', en: 'Rules', isIndexed: true },
  search: { ko: '검색', en: 'Search', isIndexed: true },
  stats: { ko: '통계', en: 'Statistics' },
  'sign-in': { ko: '로그인', en: 'Sign in' },
  'sign-up': { ko: '가입하기', en: 'Sign up' },
  setup: { ko: '사이트 시작하기', en: 'Set up your site' },
  'forgot-password': { ko: '비밀번호 재설정', en: 'Reset your password' },
  'reset-password': { ko: '비밀번호 재설정', en: 'Reset your password' },
  'verify-email': { ko: '이메일 주소 확인', en: 'Confirm your email' },
  'undo-email': { ko: '이메일 변경 취소', en: 'Undo the email change' },
  moderation: { ko: '운영 데스크', en: 'Moderation' },
  decisions: { ko: '조치와 신고', en: 'Decisions and reports' },
  appeal: { ko: '이의 제기', en: 'Appeal' },
  invites: { ko: '초대', en: 'Invites' },
  devconsole: { ko: '개발자 콘솔', en: 'Developer console' },
  oauth: { ko: '앱 연결', en: 'Connect an app' },
  admin: { ko: '관리', en: 'Administration' },
  tags: { ko: '태그', en: 'Tags', isIndexed: true },
  offline: { ko: '인터넷에 연결되어 있지 않아요', en: "You're offline" },
}

const WORDS = {
  home: { ko: '홈', en: 'Home' },
  hype: { ko: '하이프', en: 'Hype' },
  swipe: { ko: '스와이프', en: 'Swipe' },
  jump: { ko: '점프', en: 'Jump' },
  community: { ko: '커뮤니티', en: 'Community' },
  followers: { ko: '팔로워', en: 'Followers' },
  following: { ko: '팔로잉', en: 'Following' },
  searchHelp: {
    ko: '따옴표로 묶으면 그 문장 그대로, 빼기표(-)를 붙이면 그 말을 뺀 결과를 찾아요.',
    en: 'Use quotes for an exact phrase, and a minus sign to leave a word out.',
  },
  notFound: { ko: '페이지를 찾을 수 없어요', en: 'Page not found' },
  /** Description of the site when its settings contain none. */
  site: {
    ko: '영상, 그림, 소리, 글, 게임을 함께 보고 만드는 곳이에요.',
    en: 'A place to share videos, pictures, sound, articles and games.',
  },
} as const

export type Word = keyof typeof WORDS

export function word(name: Word, language: Language): string {
  return WORDS[name][language]
}

/**
 * Returns the title of a page, and whether search engines may list it. `pattern` is a path pattern such as
 * `/admin/members`.
 */
export function titleOf(pattern: string, language: Language) {
  const titles = TITLES[pattern.split('/')[1] ?? '']
  return { title: titles?.[language] ?? '', isIndexed: titles?.isIndexed === true }
}
