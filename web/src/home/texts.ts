import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    title: '홈',
    nothingHelp: '첫 작품을 올려 보세요.',
    publishFirst: '첫 작품 올리기',
  },
  en: {
    title: 'Home',
    nothingHelp: 'Be the first to publish something.',
    publishFirst: 'Publish the first work',
  },
})
