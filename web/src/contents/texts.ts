import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  category: {
    hype: ['하이프', 'Hype'],
    swipe: ['스와이프', 'Swipe'],
    jump: ['점프', 'Jump'],
  },
  type: {
    video: ['영상', 'Video'],
    image: ['이미지', 'Image'],
    audio: ['오디오', 'Audio'],
    article: ['글', 'Article'],
    game: ['게임', 'Game'],
  },
  status: {
    draft: ['초안', 'Draft'],
    processing: ['변환 중', 'Processing'],
    published: ['공개', 'Public'],
    archived: ['보관됨', 'Archived'],
  },
  hidden: ['운영진이 숨김', 'Hidden by moderators'],
  views: (count: string) => [`조회수 ${count}회`, count === '1' ? '1 view' : `${count} views`],
  plays: (count: string) => [`플레이 ${count}회`, count === '1' ? '1 play' : `${count} plays`],
  likes: (count: number) => [`좋아요 ${count}개`, count === 1 ? '1 like' : `${count} likes`],
  like: ['좋아요', 'Like'],
  bookmark: ['저장', 'Save'],
  sort: ['정렬', 'Sort by'],
  latest: ['최신', 'Latest'],
  popular: ['인기', 'Popular'],
  following: ['팔로잉', 'Following'],
  tags: ['태그', 'Tags'],
  new: (count: number) => [
    `새 작품 ${count}개 보기`,
    count === 1 ? 'Show 1 new work' : `Show ${count} new works`,
  ],
  manyNew: (count: number) => [`새 작품 ${count}개 이상 보기`, `Show ${count} or more new works`],
  nothing: ['아직 작품이 없어요', 'No works yet'],
  nothingFollowed: [
    '팔로우한 사람의 새 작품이 여기에 모여요',
    'New works from people you follow appear here',
  ],
  followHelp: [
    '마음에 드는 크리에이터를 팔로우하면 새 작품을 놓치지 않아요.',
    'Follow creators you like so you never miss their works.',
  ],
  seePopular: ['인기 작품 둘러보기', 'Browse popular works'],
})
