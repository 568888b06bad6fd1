import { Share2 } from 'lucide-react'
import type { Content } from '#sdk'
import { useShare } from '../contents/share.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { texts } from './texts.ts'

/** Button that opens the browser's share sheet, or copies the link. */
export function Share({ content }: { content: Pick<Content, 'id' | 'title'> }) {
  const t = useTexts(texts)
  const share = useShare()
  return (
    <Button size="small" icon={<Share2 aria-hidden="true" />} onClick={() => void share(content)}>
      {t.share}
    </Button>
  )
}
