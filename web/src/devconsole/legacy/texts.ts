import { defineTexts } from '../../language/texts.ts'

export const texts = defineTexts({
  ko: {
    title: '개인 키',
    lead: '앱을 만들지 않고도 파일과 작품을 내 이름으로 올릴 수 있어요.',
    limits: '개인 키에는 권한 설정과 만료가 없어요. 더 이상 쓰지 않는 키는 폐기해 주세요.',
    emptyTitle: '아직 개인 키가 없어요',
    emptyHelp:
      '혼자 쓰는 작은 프로그램이라면 이것으로 충분해요. 이 키로 올린 작품은 바로 공개돼요.',
    created: '생성일',
  },
  en: {
    title: 'Personal keys',
    lead: 'Upload files and publish works as yourself without creating an app.',
    limits: 'Personal keys have no scopes and never expire. Revoke keys you no longer use.',
    emptyTitle: 'No personal keys yet',
    emptyHelp: 'Enough for a small program of your own. Works it publishes are public immediately.',
    created: 'Created',
  },
})
