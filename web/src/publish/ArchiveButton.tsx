import { Archive } from 'lucide-react'
import { useState } from 'react'
import type { ContentDetail } from '#sdk'
import { ArchiveDialog } from '../contents/ArchiveDialog.tsx'
import { texts } from '../contents/archiveTexts.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'

/** Button that archives the content after a confirmation. */
export function ArchiveButton({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        look="danger"
        wide
        icon={<Archive aria-hidden="true" />}
        onClick={() => setIsAsking(true)}
      >
        {t.archive}
      </Button>
      <ArchiveDialog content={isAsking ? content : undefined} onClose={() => setIsAsking(false)} />
    </>
  )
}
