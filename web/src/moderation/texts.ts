import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  kinds: {
    content: ['작품', 'Work'],
    comment: ['댓글', 'Comment'],
    post: ['글', 'Post'],
    message: ['메시지', 'Message'],
    user: ['회원', 'User'],
    file: ['파일', 'File'],
  },
  reasons: {
    spam: ['스팸·광고', 'Spam'],
    abuse: ['괴롭힘·혐오', 'Harassment or hate'],
    sexual: ['성적인 내용', 'Sexual content'],
    minors: ['아동·청소년에게 해로움', 'Harms minors'],
    violence: ['폭력적인 내용', 'Violence'],
    copyright: ['저작권 침해', 'Copyright'],
    illegal: ['불법', 'Illegal'],
    other: ['기타', 'Something else'],
  },
  actions: {
    none: ['조치 없음', 'No action'],
    warn: ['경고', 'Warning'],
    hide: ['숨김', 'Hidden'],
    rate: ['등급 지정', 'Rated'],
    block_file: ['파일 차단', 'File blocked'],
    suspend: ['이용 정지', 'Suspended'],
    sweep: ['일괄 숨김', 'All hidden'],
  },
  ratings: {
    everyone: ['전체 이용가', 'Everyone'],
    teen: ['청소년 이용가', 'Teen'],
    adult: ['성인 이용가', 'Adult'],
  },
  statuses: {
    applying: ['적용하는 중', 'Applying'],
    in_effect: ['적용 중', 'In effect'],
    undoing: ['취소하는 중', 'Undoing'],
    undone: ['취소됨', 'Undone'],
  },
  outcomes: {
    open: ['검토 중', 'In review'],
    granted: ['받아들여짐', 'Granted'],
    upheld: ['조치 유지', 'Upheld'],
    closed: ['종료', 'Closed'],
  },
  reportHelp: [
    '운영진이 확인해요. 누가 신고했는지는 상대방에게 알리지 않아요.',
    "Moderators will review it. We won't say who reported it.",
  ],
  why: ['무엇이 문제인가요?', "What's wrong?"],
  rule: ['어긴 규칙 (선택)', 'Broken rule (optional)'],
  noRule: ['고르지 않음', 'None chosen'],
  note: ['더 알려 줄 내용 (선택)', 'Anything else? (optional)'],
  send: ['신고', 'Send report'],
  sent: ['신고를 보냈어요', 'Report sent'],
  sentHelp: [
    '결과가 나오면 알림으로 알려 드려요. 이 사람을 차단할 수도 있어요.',
    "We'll notify you of the outcome. You can also block this person.",
  ],
  block: ['차단하기', 'Block'],
  done: ['닫기', 'Close'],
  title: ['조치와 신고', 'Decisions and reports'],
  decisions: ['받은 조치', 'Decisions about you'],
  reports: ['내가 한 신고', 'Your reports'],
  noDecisions: ['받은 조치가 없어요', 'No decisions'],
  noDecisionsHelp: [
    '운영진이 내 작품이나 글에 조치하면 여기에서 이유를 볼 수 있어요.',
    'When moderators act on something of yours, the reason is here.',
  ],
  noReports: ['신고한 것이 없어요', 'No reports'],
  noReportsHelp: [
    '신고하면 여기에서 결과를 볼 수 있어요.',
    'When you report something, the outcome is here.',
  ],
  reportStatuses: {
    open: ['검토 중', 'In review'],
    actioned: ['조치함', 'Action taken'],
    dismissed: ['문제 없음', 'No violation'],
  },
  decided: {
    warn: ['운영진이 경고했어요', 'Moderators warned you'],
    hide: ['운영진이 숨겼어요', 'Moderators hid this'],
    rate: ['운영진이 이용 등급을 정했어요', 'Moderators rated this'],
    block_file: ['운영진이 파일을 차단했어요', 'Moderators blocked this file'],
    suspend: ['계정이 정지됐어요', 'Your account was suspended'],
    sweep: [
      '운영진이 최근에 올린 것을 모두 숨겼어요',
      'Moderators hid everything you recently created',
    ],
  },
  subject: ['대상', 'About'],
  reason: ['사유', 'Reason'],
  ruleName: ['규칙', 'Rule'],
  rating: ['이용 등급', 'Rating'],
  since: ['숨긴 기간', 'Hidden'],
  sinceTime: (when: string) => [`${when}부터`, `Since ${when}`],
  status: ['상태', 'Status'],
  when: ['조치한 날', 'Decided'],
  open: ['작품 보기', 'Open work'],
  allDecisions: ['모든 조치', 'All decisions'],
  appeal: ['이의 제기', 'Appeal'],
  appealHelp: [
    '한 번 이의를 제기할 수 있어요. 왜 잘못된 조치인지 알려 주세요.',
    'You can appeal once. Tell us why this decision is wrong.',
  ],
  appealBody: ['이의 내용', 'Your appeal'],
  appealSend: ['이의 제기', 'Send appeal'],
  appealSent: ['이의를 보냈어요', 'Appeal sent'],
  answer: ['답변', 'Answer'],
})

/**
 * Returns the text for a value, or the value itself if the client has no text, for example for values of a newer
 * server.
 */
export function wordOf(words: Partial<Record<string, string>>, value: string): string {
  return words[value] ?? value
}

export type ReportReason = keyof (typeof texts)['ko']['reasons']
