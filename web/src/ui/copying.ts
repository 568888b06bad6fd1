import { defineTexts, useTexts } from '../language/texts.ts'
import { toast } from './toast.ts'

/** Resolves to false when the browser blocks the clipboard, as on pages without TLS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export function useCopyLink(): (url: string) => Promise<void> {
  const t = useTexts(texts)
  return async (url) => {
    const isCopied = await copyText(url)
    toast(isCopied ? t.linkCopied : t.linkNotCopied, { isBad: !isCopied })
  }
}

export const texts = defineTexts({
  copy: ['복사', 'Copy'],
  copied: ['복사했어요', 'Copied'],
  notCopied: [
    '복사하지 못했어요. 직접 선택해서 복사해 주세요.',
    "Couldn't copy. Select the text and copy it yourself.",
  ],
  linkCopied: ['링크를 복사했어요', 'Link copied'],
  linkNotCopied: ['링크를 복사하지 못했어요', "Couldn't copy the link"],
})
