import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    copy: '복사',
    copied: '복사했어요',
    notCopied: '복사하지 못했어요. 직접 선택해서 복사해 주세요.',
    linkCopied: '링크를 복사했어요',
    linkNotCopied: '링크를 복사하지 못했어요',
  },
  en: {
    copy: 'Copy',
    copied: 'Copied',
    notCopied: "Couldn't copy. Select the text and copy it yourself.",
    linkCopied: 'Link copied',
    linkNotCopied: "Couldn't copy the link",
  },
})
