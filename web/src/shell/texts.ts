import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  skip: ['본문으로 건너뛰기', 'Skip to content'],
  main: ['주 메뉴', 'Main'],
  home: ['홈', 'Home'],
  hype: ['하이프', 'Hype'],
  swipe: ['스와이프', 'Swipe'],
  jump: ['점프', 'Jump'],
  community: ['커뮤니티', 'Community'],
  notifications: ['알림', 'Notifications'],
  unread: (count: number) => [
    `읽지 않은 알림 ${count}개`,
    count === 1 ? '1 unread notification' : `${count} unread notifications`,
  ],
  unreadMessages: (count: number) => [
    `읽지 않은 메시지 ${count}개`,
    count === 1 ? '1 unread message' : `${count} unread messages`,
  ],
  messages: ['메시지', 'Messages'],
  library: ['라이브러리', 'Library'],
  publish: ['올리기', 'Publish'],
  search: ['검색', 'Search'],
  clear: ['지우기', 'Clear'],
  signIn: ['로그인', 'Sign in'],
  sessionEnded: [
    '로그인이 만료됐어요. 계속하려면 다시 로그인해 주세요.',
    'Your session ended. Sign in again to continue.',
  ],
  menu: ['내 메뉴', 'Your menu'],
  settings: ['화면 설정', 'Display'],
  about: ['소개', 'About'],
  rules: ['규칙', 'Rules'],
  offline: [
    '인터넷 연결이 끊겼어요. 다시 연결되면 계속할 수 있어요.',
    "You're offline. You can continue when you're back online.",
  ],
  notFound: ['페이지를 찾을 수 없어요', 'Page not found'],
  notFoundHelp: [
    '주소가 바뀌었거나 삭제됐을 수 있어요. 찾던 것을 검색해 보세요.',
    'It may have moved or been deleted. Try a search.',
  ],
  details: ['자세히', 'Details'],
  goHome: ['홈으로 가기', 'Go to home page'],
  broken: ['이 화면을 열지 못했어요', "Couldn't open this page"],
  opening: ['여는 중', 'Opening'],
  offlinePage: ['인터넷에 연결되어 있지 않아요', "You're offline"],
  offlinePageHelp: [
    '다시 연결되면 이 화면이 바로 열려요.',
    "This page opens as soon as you're back online.",
  ],
  tryAgain: ['다시 시도', 'Try again'],
})
