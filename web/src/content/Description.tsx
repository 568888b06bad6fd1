import { useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { LinkedText } from '../ui/LinkedText.tsx'
import styles from './Description.module.css'
import { texts } from './texts.ts'

/** Shows the first lines of a description. The user can expand it. */
export function Description({ text }: { text: string }) {
  const t = useTexts(texts)
  const ref = useRef<HTMLParagraphElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [isLong, setIsLong] = useState(false)
  useLayoutEffect(() => {
    const { current } = ref
    if (!current || isOpen) return undefined
    const measure = () => setIsLong(current.scrollHeight > current.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <div>
      <p ref={ref} className={`${styles.text} ${isOpen ? '' : styles.cut}`}>
        <LinkedText text={text} />
      </p>
      {(isLong || isOpen) && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.showLess : t.showMore}
        </button>
      )}
    </div>
  )
}
