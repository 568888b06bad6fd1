import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  retry: ['다시 시도', 'Try again'],
  retryIn: (seconds: number) => [`${seconds}초 뒤에 다시 시도`, `Try again in ${seconds}s`],
  requestId: ['요청 ID', 'Request ID'],
  broken: [
    '문제가 생겼어요. 잠시 뒤에 다시 시도해 주세요.',
    'Something went wrong. Try again in a moment.',
  ],
  offline: ['인터넷에 연결되어 있지 않아요.', "You're offline."],
  unreachable: [
    '서버가 응답하지 않아요. 잠시 뒤에 다시 시도해 주세요.',
    "The server isn't responding. Try again in a moment.",
  ],
  unexpected: (status: number) => [
    `알 수 없는 응답을 받았어요(${status}). 잠시 뒤에 다시 시도해 주세요.`,
    `We got an unexpected response (${status}). Try again in a moment.`,
  ],
  othersSession: ['다른 계정으로 로그인되어 있어요.', 'Another account is now signed in here.'],
  more: ['더보기', 'Show more'],
  loading: ['불러오는 중', 'Loading'],
  close: ['닫기', 'Close'],
  cancel: ['취소', 'Cancel'],
  previous: ['이전', 'Previous'],
  next: ['다음', 'Next'],
  pages: (page: number, pages: number) => [`${pages}쪽 중 ${page}쪽`, `Page ${page} of ${pages}`],
  pager: ['쪽 이동', 'Pages'],
  notices: ['알림 메시지', 'Notices'],
  undo: ['실행 취소', 'Undo'],
  undone: ['처리하지 못했어요. 다시 시도해 주세요.', "That didn't work. Try again."],
  undoneSince: (reason: string) => [`처리하지 못했어요. ${reason}`, `That didn't work. ${reason}`],
  tooLong: (count: number) => [
    `${count}자를 줄여 주세요`,
    count === 1 ? '1 character too long' : `${count} characters too long`,
  ],
})
