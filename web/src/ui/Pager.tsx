import { useTexts } from '../language/texts.ts'
import { Button } from './Button.tsx'
import styles from './Pager.module.css'
import { texts } from './texts.ts'

interface Props {
  page: number
  pages: number
  onPage: (page: number) => void
}

/** Buttons for the previous and next page of a table. */
export function Pager({ page, pages, onPage }: Props) {
  const t = useTexts(texts)
  if (pages <= 1) return null
  return (
    <nav className={styles.pager} aria-label={t.pager}>
      {/* Not disabled, because a disabled button would lose the focus. */}
      <Button size="small" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        {t.previous}
      </Button>
      <span>{t.pages(page, pages)}</span>
      <Button
        size="small"
        aria-disabled={page >= pages}
        onClick={() => page < pages && onPage(page + 1)}
      >
        {t.next}
      </Button>
    </nav>
  )
}
