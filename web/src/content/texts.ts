import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  loading: ['작품을 불러오는 중', 'Loading'],
  notLoaded: ['작품을 불러오지 못했어요', "Couldn't load this work"],
  edit: ['수정', 'Edit'],
  share: ['공유', 'Share'],
  tags: ['태그', 'Tags'],
  showMore: ['더보기', 'Show more'],
  showLess: ['접기', 'Show less'],
  minutes: (count: number) => [`읽는 데 ${count}분`, `${count} min read`],
  next: ['추천 작품', 'Recommended'],
  noNext: ['아직 추천할 작품이 없어요.', 'No recommendations yet.'],
  draft: ['초안이에요. 나만 볼 수 있어요.', 'This is a draft. Only you can see it.'],
  processing: [
    '변환하고 있어요. 끝나면 바로 공개할게요.',
    "We'll publish it as soon as processing finishes.",
  ],
  processingAt: (share: string) => [
    `변환하고 있어요 (${share}). 끝나면 바로 공개할게요.`,
    `Processing (${share}). We'll publish it as soon as it finishes.`,
  ],
  conversion: ['변환 진행', 'Processing'],
  notConverted: ['이 파일은 변환하지 못했어요.', "We couldn't process this file."],
  archived: [
    '보관한 작품이에요. 나만 볼 수 있어요.',
    'You archived this work. Only you can see it.',
  ],
  hidden: ['숨겨짐', 'Hidden'],
  hiddenBecause: [
    '운영진이 숨겨서 나만 볼 수 있어요. 사유:',
    'Moderators hid this, so only you can see it. Reason:',
  ],
  decision: ['자세히 보기', 'Details and appeal'],
  picture: (title: string, number: number, count: number) => [
    `${title} (${number}/${count})`,
    `${title} (${number}/${count})`,
  ],
  pictures: ['이미지', 'Images'],
  enlarge: (alt: string) => [`${alt}, 크게 보기`, `${alt}, enlarge`],
  zoom: ['원래 크기로 보기', 'Show at full size'],
  fit: ['화면에 맞추기', 'Fit to the window'],
  previousPicture: ['이전 이미지', 'Previous image'],
  nextPicture: ['다음 이미지', 'Next image'],
  pictureOf: (number: number, count: number) => [
    `${count}장 중 ${number}번째 이미지`,
    `Image ${number} of ${count}`,
  ],
  noMedia: ['재생하거나 볼 파일이 없는 작품이에요.', 'This work has nothing to play or view.'],
  blockedMedia: [
    '운영진이 이 작품의 파일을 차단했어요.',
    'A moderator blocked a file of this work.',
  ],
})
