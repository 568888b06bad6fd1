import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Content } from '#sdk'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import { contentKey } from './queries.ts'

/** Buttons with which an author restores or erases archived content. */
export function ArchivedActions({ content }: { content: Content }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending } = useRestore()
  return (
    <div className="cluster">
      <Button
        size="small"
        icon={<ArchiveRestore />}
        busy={isPending}
        onClick={() => mutate(content.id)}
      >
        {t.restore}
      </Button>
      <Button size="small" look="danger" icon={<Trash2 />} onClick={() => setIsAsking(true)}>
        {t.erase}
      </Button>
      <EraseDialog
        content={isAsking ? content : undefined}
        onClose={() => setIsAsking(false)}
        onErased={() => void navigate({ to: '/library', search: { status: 'archived' } })}
      />
    </div>
  )
}

/** Returns a mutation that turns archived content into a draft. */
export function useRestore() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => plaza.contents.restore(id),
    onSuccess: (_, id) => {
      toast(t.restored)
      void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
      return queries.invalidateQueries({ queryKey: contentKey(id) })
    },
    onError: () => toast(t.notRestored, { isBad: true }),
  })
}

interface DialogProps {
  /** Undefined while the dialog is closed. */
  content: Pick<Content, 'id' | 'title'> | undefined
  onClose: () => void
}

export function ArchiveDialog({ content, onClose }: DialogProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate: restore } = useRestore()
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
        toast(t.archived, { action: { label: t.restore, run: () => restore(content.id) } })
      }}
    />
  )
}

export function EraseDialog({
  content,
  onClose,
  onErased,
}: DialogProps & { onErased?: () => void }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return (
    <ConfirmRequest
      isOpen={content !== undefined}
      onClose={onClose}
      title={t.eraseTitle}
      description={content && t.eraseHelp(content.title)}
      act={t.erase}
      isDangerous
      request={async () => content && plaza.contents.erase(content.id)}
      onDone={() => {
        void queries.invalidateQueries({ queryKey: ['contents', 'lists'] })
        toast(t.erased, { isForNextPage: onErased !== undefined })
        onErased?.()
      }}
    />
  )
}

export const texts = defineTexts({
  archive: ['보관하기', 'Archive'],
  archiveTitle: ['이 작품을 보관할까요?', 'Archive this work?'],
  archiveHelp: (title: string) => [
    `‘${title}’ 작품이 모든 목록에서 사라지고 나만 볼 수 있어요. 나중에 초안으로 되돌릴 수 있어요.`,
    `“${title}” disappears from every list, and only you can see it. You can restore it later as a draft.`,
  ],
  archived: ['보관했어요', 'Archived'],
  restore: ['되돌리기', 'Restore'],
  restored: ['초안으로 되돌렸어요', 'Restored as a draft'],
  notRestored: ['되돌리지 못했어요. 다시 시도해 주세요.', "Couldn't restore it. Try again."],
  erase: ['완전히 삭제', 'Delete permanently'],
  eraseTitle: ['완전히 삭제할까요?', 'Delete permanently?'],
  eraseHelp: (title: string) => [
    `‘${title}’ 작품과 댓글, 좋아요, 저장, 플레이 기록, 올린 파일이 모두 사라져요. 되돌릴 수 없어요.`,
    `“${title}” goes with its comments, likes, saves, plays and uploaded files. You can't undo this.`,
  ],
  erased: ['완전히 삭제했어요', 'Deleted permanently'],
})
