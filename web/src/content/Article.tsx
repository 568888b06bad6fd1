import { useLangOf } from '../language/look.ts'
import { Markdown } from '../markdown/Markdown.tsx'
import styles from './Article.module.css'

export function Article({ body }: { body: string }) {
  return (
    <div className={styles.article}>
      <Markdown text={body} lang={useLangOf(body)} />
    </div>
  )
}
