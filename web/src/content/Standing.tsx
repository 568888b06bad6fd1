import type { ContentDetail } from '#sdk'
import { useConversion } from '../contents/conversion.ts'
import { texts as words } from '../contents/texts.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import { Progress } from '../ui/Progress.tsx'
import styles from './Standing.module.css'
import { texts } from './texts.ts'

/** Explains to the author why the content is not public. Renders nothing for published content. */
export function Standing({ content }: { content: ContentDetail }) {
  const { status } = content
  const t = useTexts(texts)
  const names = useTexts(words).status
  if (status !== 'draft' && status !== 'processing' && status !== 'archived') return null
  return (
    <div className={styles.standing}>
      <Badge tone={status === 'processing' ? 'accent' : 'plain'}>
        {names[status as keyof typeof names]}
      </Badge>
      {status === 'archived' ? <p>{t.archived}</p> : <Converting content={content} />}
    </div>
  )
}

function Converting({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const conversion = useConversion(content)
  if (conversion?.status === 'failed') return <p>{conversion.error ?? t.notConverted}</p>
  if (content.status === 'draft') return <p>{t.draft}</p>
  return (
    <div className={styles.converting}>
      <p>{conversion ? t.processingAt(formats.percent(conversion.progress)) : t.processing}</p>
      {conversion && <Progress share={conversion.progress} label={t.conversion} />}
    </div>
  )
}
