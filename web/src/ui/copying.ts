import { useTexts } from '../language/texts.ts'
import { texts } from './copyTexts.ts'
import { toast } from './toast.ts'

/** Copies a text. Resolves to false when the browser blocks the clipboard, as on pages without TLS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Returns a function that copies a link and shows a notice. */
export function useCopyLink(): (url: string) => Promise<void> {
  const t = useTexts(texts)
  return async (url) => {
    const isCopied = await copyText(url)
    toast(isCopied ? t.linkCopied : t.linkNotCopied, { isBad: !isCopied })
  }
}
