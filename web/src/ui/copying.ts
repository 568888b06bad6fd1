import { useTexts } from '../language/texts.ts'
import { texts } from './copyTexts.ts'
import { toast } from './toast.ts'

/** False where the browser does not let it be copied, as on pages without TLS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Gives what copies a link and says so. */
export function useCopyLink(): (url: string) => Promise<void> {
  const t = useTexts(texts)
  return async (url) => {
    const isCopied = await copyText(url)
    toast(isCopied ? t.linkCopied : t.linkNotCopied, { isBad: !isCopied })
  }
}
