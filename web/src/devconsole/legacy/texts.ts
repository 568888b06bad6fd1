import { defineTexts } from '../../language/texts.ts'

export const texts = defineTexts({
  ko: {
    title: '개인 키',
    lead: '앱 없이 내 이름으로 파일과 작품을 올리는 키예요.',
    limits: '개인 키에는 권한과 만료가 없어요. 더 이상 쓰지 않는 키는 폐기해 주세요.',
    emptyTitle: '아직 개인 키가 없어요',
    emptyHelp:
      '혼자 쓰는 간단한 프로그램이라면 개인 키 하나로 충분해요. 만든 작품은 바로 공개돼요.',
    created: '만든 때',
  },
  en: {
    title: 'Personal keys',
    lead: 'Keys without an app, to upload files and publish works in your name.',
    limits: 'They have no scopes and never expire. Revoke those you no longer use.',
    emptyTitle: 'No personal keys yet',
    emptyHelp:
      'For a small program of your own, one personal key is enough. What it publishes is public at once.',
    created: 'Created',
  },
})
