import { Check, Copy as CopyIcon } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { copyText, texts } from './copying.ts'
import { IconButton } from './IconButton.tsx'
import { toast } from './toast.ts'
import styles from './Code.module.css'

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
      icon={isCopied ? <Check /> : <CopyIcon />}
      label={isCopied ? t.copied : (label ?? t.copy)}
      onClick={() => void copy()}
    />
  )
}

export function Code({ text, label }: { text: string; label: string }) {
  return (
    <figure className={styles.code}>
      <figcaption className="row fine bold">
        <span>{label}</span>
        <Copy text={text} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
