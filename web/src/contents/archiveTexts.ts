import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    archive: '보관하기',
    archiveTitle: '이 작품을 보관할까요?',
    archiveHelp: (title: string) =>
      `‘${title}’ 작품이 모든 목록에서 사라지고 나만 볼 수 있어요. 다시 공개할 수는 없어요.`,
    isArchived: '보관했어요',
  },
  en: {
    archive: 'Archive',
    archiveTitle: 'Archive this work?',
    archiveHelp: (title) =>
      `“${title}” disappears from every list, and only you can see it. You can't publish it again.`,
    isArchived: 'Archived',
  },
})
