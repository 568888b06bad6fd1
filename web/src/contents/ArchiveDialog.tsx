import { useQueryClient } from '@tanstack/react-query'
import type { Content } from '#sdk'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import { texts as archivedTexts, useRestore } from './Archived.tsx'
import { contentKey } from './queries.ts'

interface Props {
  /** Undefined while the dialog is closed. */
  content: Pick<Content, 'id' | 'title'> | undefined
  onClose: () => void
}

export function ArchiveDialog({ content, onClose }: Props) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate: restore } = useRestore()
  const { restore: label } = useTexts(archivedTexts)
  return (
    <ConfirmRequest
      isOpen={content !== undefined}
      onClose={onClose}
      title={t.archiveTitle}
      description={content && t.archiveHelp(content.title)}
      act={t.archive}
      isDangerous
      request={async () => content && plaza.contents.archive(content.id)}
      onDone={() => {
        void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
        if (!content) return
        void queries.invalidateQueries({ queryKey: contentKey(content.id) })
        toast(t.isArchived, { action: { label, run: () => restore(content.id) } })
      }}
    />
  )
}

export const texts = defineTexts({
  ko: {
    archive: '보관하기',
    archiveTitle: '이 작품을 보관할까요?',
    archiveHelp: (title: string) =>
      `‘${title}’ 작품이 모든 목록에서 사라지고 나만 볼 수 있어요. 나중에 초안으로 되돌릴 수 있어요.`,
    isArchived: '보관했어요',
  },
  en: {
    archive: 'Archive',
    archiveTitle: 'Archive this work?',
    archiveHelp: (title) =>
      `“${title}” disappears from every list, and only you can see it. You can restore it later as a draft.`,
    isArchived: 'Archived',
  },
})
