import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    copy: '복사',
    copied: '복사했어요',
    notCopied: '복사하지 못했어요. 글자를 직접 골라 복사해 주세요.',
    linkCopied: '링크를 복사했어요',
    linkNotCopied: '링크를 복사하지 못했어요',
  },
  en: {
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'It could not be copied. Please select the text and copy it.',
    linkCopied: 'The link is copied',
    linkNotCopied: 'The link could not be copied',
  },
})
