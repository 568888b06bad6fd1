import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  title: ['스와이프', 'Swipe'],
  contents: ['스와이프 작품', 'Swipe works'],
  previous: ['이전 작품', 'Previous work'],
  next: ['다음 작품', 'Next work'],
  play: ['재생', 'Play'],
  pause: ['일시정지', 'Pause'],
  soundOn: ['소리 켜기', 'Unmute'],
  soundOff: ['소리 끄기', 'Mute'],
  comments: (count: string) => [`댓글, ${count}`, `Comments, ${count}`],
  commentsTitle: ['댓글', 'Comments'],
  share: ['공유', 'Share'],
  more: ['더보기', 'More'],
  less: ['접기', 'Less'],
  open: ['작품 페이지 열기', 'Open work page'],
  pagesOf: (title: string) => [`${title}의 장면`, `Pages of ${title}`],
  page: (title: string, number: number, total: number) => [
    `${title}, ${total}개 중 ${number}번째`,
    `${title}, ${number} of ${total}`,
  ],
  pageOf: (number: number, total: number) => [
    `장면 ${total}개 중 ${number}번째`,
    `Page ${number} of ${total}`,
  ],
  previousPage: ['이 작품의 이전 장면', 'Previous page of this work'],
  nextPage: ['이 작품의 다음 장면', 'Next page of this work'],
  shown: (title: string, name: string) => [`${title}, ${name}`, `${title}, by ${name}`],
  unplayable: ['영상을 재생하지 못했어요', "Couldn't play this video"],
  retry: ['다시 시도', 'Try again'],
  end: ['여기까지 모두 봤어요', "You've seen everything"],
  endHelp: [
    '처음으로 돌아가거나 새 작품을 올려 보세요.',
    'Go back to the first one, or publish your own.',
  ],
  toStart: ['처음으로', 'Back to the first'],
  publish: ['작품 올리기', 'Publish a work'],
  nothing: ['아직 스와이프 작품이 없어요', 'No swipe works yet'],
  nothingHelp: [
    '짧은 세로 영상이나 이미지를 올리면 여기에서 하나씩 넘겨 볼 수 있어요.',
    'Publish a short vertical video or image and it appears here.',
  ],
  gone: [
    '그 작품은 이제 볼 수 없어요. 다른 작품을 보여 드릴게요.',
    'That work is no longer available. Here are some others.',
  ],
})
