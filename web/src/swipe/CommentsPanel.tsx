import { X } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { Content } from '#sdk'
import { useBackCloses } from '../device/history.ts'
import { useMatches } from '../device/viewing.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { lazyPart } from '../device/connected.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { texts as uiTexts } from '../ui/texts.ts'
import styles from './Swipe.module.css'
import { texts } from './texts.ts'

/** Media query for windows in which the comments fit beside the slide. */
const WIDE = '(min-width: 1024px)'
const Comments = lazyPart(() => import('../comments/Comments.tsx'), 'Comments')

export function CommentsPanel({ content, onClose }: { content: Content; onClose: () => void }) {
  const isWide = useMatches(WIDE)
  const bones = (
    <Loading className={styles.bones}>
      {[80, 64, 72].map((width) => (
        <Skeleton key={width} width={`${width}%`} height="40px" />
      ))}
    </Loading>
  )
  const comments = (
    <Suspense fallback={bones}>
      <Comments key={content.id} contentId={content.id} />
    </Suspense>
  )
  if (isWide) {
    return (
      <Aside title={content.title} onClose={onClose}>
        {comments}
      </Aside>
    )
  }
  return (
    <Dialog isOpen onClose={onClose} title={content.title} isToRead>
      {comments}
    </Dialog>
  )
}

interface AsideProps {
  title: string
  onClose: () => void
  children: ReactNode
}

function Aside({ title, onClose, children }: AsideProps) {
  const t = useTexts(texts)
  const words = useTexts(uiTexts)
  const panel = useRef<HTMLElement>(null)
  useBackCloses(true, onClose)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    const { current } = panel
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
      // Escape inside a form closes only the form.
      if (event.target instanceof Element && event.target.closest('form')) return
      event.preventDefault()
      onClose()
    }
    current?.addEventListener('keydown', press)
    return () => current?.removeEventListener('keydown', press)
  }, [onClose])
  return (
    <aside ref={panel} className={styles.panel} tabIndex={-1} aria-label={t.commentsTitle}>
      <div className={styles.head}>
        <p className={styles.title} lang={useLangOf(title)}>
          {title}
        </p>
        <IconButton icon={<X />} label={words.close} onClick={onClose} />
      </div>
      {children}
    </aside>
  )
}
