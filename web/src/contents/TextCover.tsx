import { FileText } from 'lucide-react'
import type { Content } from '#sdk'
import { useTexts } from '../language/texts.ts'
import styles from './TextCover.module.css'
import { texts } from './texts.ts'

/** Maximum characters of a text in the large font. Longer texts use a smaller one. */
const SHORT = 48

/** Cover of an article without a picture: shows its description, or its title. */
export function TextCover({ content }: { content: Content }) {
  const t = useTexts(texts)
  const { category, title, description } = content
  const words = description?.trim() || title
  return (
    // Hidden from screen readers, because the card repeats title and type.
    <span className={styles.cover} aria-hidden="true">
      <span className={styles.label} data-category={category}>
        <FileText />
        {t.type.article}
      </span>
      <span className={styles.words} data-length={words.length > SHORT ? 'long' : 'short'}>
        {words}
      </span>
    </span>
  )
}
