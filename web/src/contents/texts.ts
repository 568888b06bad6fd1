import { defineTexts } from '../language/texts.ts'

/** Of works wherever they are shown; the work's own page has texts of its own. */
export const texts = defineTexts({
  ko: {
    category: { hype: '하이프', swipe: '스와이프', jump: '점프' },
    type: { video: '영상', image: '사진', audio: '소리', article: '글', game: '게임' },
    status: { draft: '초안', processing: '변환 중', published: '공개', archived: '보관됨' },
    views: (count: string) => `조회 ${count}`,
    plays: (count: string) => `플레이 ${count}`,
    likes: (count: number) => `좋아요 ${count}개`,
    like: '좋아요',
    bookmark: '저장',
    archive: '보관하기',
    archiveTitle: '이 작품을 보관할까요?',
    archiveHelp: (title: string) =>
      `‘${title}’ 작품이 모든 목록에서 사라지고 나만 볼 수 있게 돼요. 다시 공개할 수는 없어요.`,
    isArchived: '보관했어요',
    sort: '정렬',
    latest: '최신',
    popular: '인기',
    following: '팔로잉',
    nothing: '아직 작품이 없어요',
  },
  en: {
    category: { hype: 'Hype', swipe: 'Swipe', jump: 'Jump' },
    type: { video: 'Video', image: 'Picture', audio: 'Audio', article: 'Article', game: 'Game' },
    status: {
      draft: 'Draft',
      processing: 'Converting',
      published: 'Public',
      archived: 'Archived',
    },
    views: (count) => (count === '1' ? '1 view' : `${count} views`),
    plays: (count) => (count === '1' ? '1 play' : `${count} plays`),
    likes: (count) => (count === 1 ? '1 like' : `${count} likes`),
    like: 'Like',
    bookmark: 'Save',
    archive: 'Archive',
    archiveTitle: 'Archive this work?',
    archiveHelp: (title) =>
      `“${title}” leaves every list, and only you can see it. It cannot be made public again.`,
    isArchived: 'The work is archived',
    sort: 'Order',
    latest: 'Latest',
    popular: 'Popular',
    following: 'Following',
    nothing: 'No works yet',
  },
})
