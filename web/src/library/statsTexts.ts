import { defineTexts } from '../language/texts.ts'

export const statsTexts = defineTexts({
  ko: {
    range: '기간',
    days: (days: number) => (days === 365 ? '1년' : `${days}일`),
    all: '모든 작품',
    metrics: '숫자',
    metric: {
      views: '조회',
      plays: '플레이',
      likes: '좋아요',
      comments: '댓글',
      follows: '새 팔로워',
    },
    top: '많이 본 작품',
    viewed: (count: string) => `조회수 ${count}회`,
    download: 'CSV로 받기',
    none: '이 기간에는 아직 통계가 없어요',
    noneHelp:
      '작품을 공개하면 조회수, 플레이, 좋아요, 댓글, 새 팔로워를 날마다 여기에서 볼 수 있어요.',
    publish: '작품 올리기',
  },
  en: {
    range: 'Range',
    days: (days) => (days === 365 ? '1 year' : `${days} days`),
    all: 'All works',
    metrics: 'Numbers',
    metric: {
      views: 'Views',
      plays: 'Plays',
      likes: 'Likes',
      comments: 'Comments',
      follows: 'New followers',
    },
    top: 'Most viewed',
    viewed: (count) => (count === '1' ? '1 view' : `${count} views`),
    download: 'Download as CSV',
    none: 'No numbers in this range yet',
    noneHelp:
      'Publish a work and its daily views, plays, likes, comments and new followers appear here.',
    publish: 'Publish a work',
  },
})
