import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: { today: '오늘', yesterday: '어제' },
  en: { today: 'Today', yesterday: 'Yesterday' },
})
