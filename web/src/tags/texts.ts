import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    count: (count: string) => `작품 ${count}개`,
    nothing: (tag: string) => `‘${tag}’ 태그가 붙은 작품이 아직 없어요`,
    nothingHelp: '작품을 올릴 때 이 태그를 붙이면 여기에 모여요.',
    publish: '작품 올리기',
  },
  en: {
    count: (count) => (count === '1' ? '1 work' : `${count} works`),
    nothing: (tag) => `No works are tagged “${tag}” yet`,
    nothingHelp: 'Add this tag to a work you publish and it appears here.',
    publish: 'Publish a work',
  },
})
