import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    about: (name: string) => `${name} 소개`,
    rules: '규칙',
    rulesLead: '함께 지켜 주세요.',
    noRules: '아직 정해진 규칙이 없어요',
    noRulesHelp: '운영자가 규칙을 정하면 여기에 보여요.',
    pages: '안내',
    contact: '문의',
    version: '버전',
    source: '소스 코드 받기',
    opening: '안내',
    updated: (when: string) => `${when}에 고쳤어요`,
    details: '이 사이트',
  },
  en: {
    about: (name) => `About ${name}`,
    rules: 'Rules',
    rulesLead: 'Follow them when you take part.',
    noRules: 'No rules yet',
    noRulesHelp: 'When the operator sets rules, they appear here.',
    pages: 'Pages',
    contact: 'Contact',
    version: 'Version',
    source: 'Get the source code',
    opening: 'Page',
    updated: (when) => `Updated ${when}`,
    details: 'This site',
  },
})
