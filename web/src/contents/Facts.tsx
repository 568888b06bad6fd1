import type { Content } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Time } from '../ui/Time.tsx'
import styles from './Facts.module.css'
import { texts } from './texts.ts'

interface Props {
  content: Content
  /** Shows exact numbers instead of rounded ones. */
  isExact?: boolean
}

/** Shows category, view or play count, and date in one line. */
export function Facts({ content, isExact = false }: Props) {
  const { category, published_at, created_at } = content
  return (
    <p className={`${styles.facts} ${isExact ? styles.exact : ''}`}>
      <CategoryName category={category} />
      <span>
        <Seen content={content} isExact={isExact} />
      </span>
      <Time at={published_at ?? created_at} />
    </p>
  )
}

/** Shows the category's name in its colour. */
export function CategoryName({ category }: Pick<Content, 'category'>) {
  const t = useTexts(texts)
  return (
    <span className={styles.category} data-category={category}>
      {t.category[category as keyof typeof t.category] ?? category}
    </span>
  )
}

/** Shows the number of views, or of plays for a game. */
export function Seen({ content, isExact = false }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const write = isExact ? formats.number : formats.count
  return content.type === 'game'
    ? t.plays(write(content.play_count))
    : t.views(write(content.view_count))
}
