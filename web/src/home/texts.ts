import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    title: '홈',
    followNobody: '팔로우한 사람의 새 작품이 여기에 모여요',
    followHelp: '마음에 드는 크리에이터를 팔로우하면 이 탭에서 바로 볼 수 있어요.',
    findSomebody: '인기 작품 둘러보기',
    nothingHelp: '첫 작품을 올려 이 광장을 열어 보세요.',
    publishFirst: '첫 작품 올리기',
  },
  en: {
    title: 'Home',
    followNobody: 'New works from people you follow appear here',
    followHelp: 'Follow creators you like to see their works in this tab.',
    findSomebody: 'Browse popular works',
    nothingHelp: 'Publish the first work to open this plaza.',
    publishFirst: 'Publish the first work',
  },
})
