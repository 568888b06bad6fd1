import { Ellipsis, Link as LinkIcon, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Post } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useCopyLink } from '../ui/copying.ts'
import { Menu } from '../ui/Menu.tsx'
import { useDeletePost } from './acts.ts'
import styles from './Post.module.css'
import { texts } from './texts.ts'

interface Props {
  post: Post
  onDeleted: (() => void) | undefined
}

/** Menu of a post: copy its link, or delete the viewer's own post. */
export function PostMenu({ post, onDeleted }: Props) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const [isAsking, setIsAsking] = useState(false)
  const isOwn = viewer != null && viewer.id === post.author?.id
  const copyLink = useCopyLink()
  const url = `${location.origin}/posts/${post.id}`
  const remove = {
    label: t.delete,
    icon: <Trash2 />,
    isDangerous: true,
    onClick: () => setIsAsking(true),
  }
  return (
    <>
      <Menu
        groups={[
          [{ label: t.copyLink, icon: <LinkIcon />, onClick: () => void copyLink(url) }],
          isOwn ? [remove] : [],
        ]}
        trigger={
          <button type="button" className={styles.menu} aria-label={t.more} title={t.more}>
            <Ellipsis aria-hidden="true" />
          </button>
        }
      />
      {isOwn && (
        <AskToDelete
          post={post}
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}

function AskToDelete({
  post,
  isOpen,
  onClose,
  onDeleted,
}: Props & { isOpen: boolean; onClose: () => void }) {
  const t = useTexts(texts)
  const { mutate, isPending, error } = useDeletePost(post, () => {
    onClose()
    onDeleted?.()
  })
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t.deleteTitle}
      description={t.deleteHelp}
      act={t.delete}
      isDangerous
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}
