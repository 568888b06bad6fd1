import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    title: '홈',
    nothingHelp: '첫 작품을 올려 이 광장을 열어 보세요.',
    publishFirst: '첫 작품 올리기',
  },
  en: {
    title: 'Home',
    nothingHelp: 'Publish the first work to open this plaza.',
    publishFirst: 'Publish the first work',
  },
})
