import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    title: '하이프',
    lead: '길이도 형식도 자유로운 작품들이 모이는 곳이에요.',
    first: {
      latest: '가장 새로운 작품',
      popular: '지금 가장 인기 있는 작품',
      following: '팔로우한 사람의 새 작품',
    },
    rest: '더 많은 작품',
    nothing: '아직 하이프 작품이 없어요',
    nothingHelp: '영상, 이미지, 오디오, 글 무엇이든 첫 작품이 될 수 있어요.',
    publishFirst: '첫 하이프 올리기',
  },
  en: {
    title: 'Hype',
    lead: 'Works of any length and kind.',
    first: {
      latest: 'Newest',
      popular: 'Most popular now',
      following: 'New from people you follow',
    },
    rest: 'More works',
    nothing: 'Nothing in Hype yet',
    nothingHelp: 'Be the first to publish a video, image, audio or article.',
    publishFirst: 'Publish the first one',
  },
})
