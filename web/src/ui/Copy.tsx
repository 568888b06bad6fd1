import { Check, Copy as CopyIcon } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { texts } from './copyTexts.ts'
import { copyText } from './copying.ts'
import { IconButton } from './IconButton.tsx'
import { toast } from './toast.ts'

export function Copy({ text, label }: { text: string; label?: string }) {
  const t = useTexts(texts)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return toast(t.notCopied, { isBad: true })
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 2000)
  }
  return (
    <IconButton
      icon={isCopied ? <Check aria-hidden="true" /> : <CopyIcon aria-hidden="true" />}
      label={isCopied ? t.copied : (label ?? t.copy)}
      onClick={() => void copy()}
    />
  )
}
