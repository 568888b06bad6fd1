import { Archive, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ContentDetail, Conversion } from '#sdk'
import { ArchivedActions } from '../contents/Archived.tsx'
import { useConversion } from '../contents/conversion.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Copy, Panel } from '../ui/Panel.tsx'
import { Progress } from '../ui/Loading.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'

export function Status({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const { id, status, type } = content
  const conversion = useConversion(content)
  return (
    <Panel title={t.status} hidesTitle>
      <Line status={status} conversion={conversion} />
      <ConversionLine conversion={conversion} isWaiting={status === 'processing'} />
      <div className="cluster">
        <LinkButton to="/contents/$id" params={{ id }}>
          {status !== 'published' ? t.preview : type === 'game' ? t.play : t.look}
        </LinkButton>
        {status === 'published' && (
          <Copy text={`${location.origin}/contents/${id}`} label={t.copyLink} />
        )}
        {conversion?.status === 'failed' && <LinkButton to="/publish">{t.publishAnew}</LinkButton>}
        {status === 'archived' && <ArchivedActions content={content} />}
        {status === 'archived' && (
          <LinkButton to="/library" search={{ status: 'archived' }}>
            {t.otherArchived}
          </LinkButton>
        )}
      </div>
    </Panel>
  )
}

function Line({ status, conversion }: { status: string; conversion: Conversion | undefined }) {
  const t = useTexts(texts)
  const line = (icon: ReactNode, title: string, help: string) => (
    <div role="status">
      <p className={styles.state}>
        {icon}
        {title}
      </p>
      <p className={styles.note}>{help}</p>
    </div>
  )
  if (conversion?.status === 'failed') {
    const help = conversion.error ?? t.conversionFailedHelp
    return line(<TriangleAlert color="var(--danger)" />, t.conversionFailed, help)
  }
  if (status === 'published') {
    return line(<CircleCheck color="var(--good)" />, t.isPublic, t.isPublicHelp)
  }
  if (status === 'processing') {
    return line(<CircleDashed color="var(--muted)" />, t.isConverting, t.isConvertingHelp)
  }
  if (status === 'archived') {
    return line(<Archive color="var(--muted)" />, t.isArchived, t.isArchivedHelp)
  }
  return line(<CircleDashed color="var(--muted)" />, t.isDraft, t.isDraftHelp)
}

interface ConversionLineProps {
  conversion: Conversion | undefined
  isWaiting: boolean
}

function ConversionLine({ conversion, isWaiting }: ConversionLineProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const isUnderWay = conversion?.status === 'queued' || conversion?.status === 'processing'
  if (!isUnderWay && !isWaiting) return null
  const share = conversion && isUnderWay ? conversion.progress : undefined
  return (
    <div className={styles.fields}>
      <Progress share={share} label={t.isConverting} />
      <p className={styles.note}>
        {share === undefined ? t.isConverting : t.convertingShare(formats.percent(share))}
      </p>
    </div>
  )
}
