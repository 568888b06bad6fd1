import { FileText } from 'lucide-react'
import type { Content } from '#sdk'
import { useTexts } from '../language/texts.ts'
import styles from './TextCover.module.css'
import { texts } from './texts.ts'

/** What is longer is set smaller, in characters. */
const SHORT = 48

/** In place of a picture of an article: how it begins, as it is told of, or else its title. */
export function TextCover({ content }: { content: Content }) {
  const t = useTexts(texts)
  const { category, title, description } = content
  const words = description?.trim() || title
  return (
    // Title and kind are told beside it.
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
