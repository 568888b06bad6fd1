import { useLangOf } from '../language/script.ts'
import styles from './Article.module.css'

/** Shows plain text in paragraphs. It interprets no markup. */
export function Article({ body }: { body: string }) {
  const paragraphs = body.split(/\n[^\S\n]*\n\s*/)
  return (
    <div className={styles.article} lang={useLangOf(body)}>
      {paragraphs.map((paragraph, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text does not change its order
        <p key={at}>{paragraph}</p>
      ))}
    </div>
  )
}
