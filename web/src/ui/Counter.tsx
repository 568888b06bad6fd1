import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Counter.module.css'
import { texts } from './texts.ts'

/** Shows the length of a text and its limit. Screen readers announce it when the text is too long. */
export function Counter({ length, max }: { length: number; max: number }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const over = length - max
  return (
    <span className={`${styles.counter} ${over > 0 ? styles.over : ''}`}>
      <span aria-hidden={over > 0 || undefined}>
        {formats.number(length)} / {formats.number(max)}
      </span>
      <span className="unseen" role="status">
        {over > 0 && t.tooLong(over)}
      </span>
    </span>
  )
}
