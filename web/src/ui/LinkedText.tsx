import { Link } from '@tanstack/react-router'
import { useLangOf } from '../language/script.ts'
import styles from './LinkedText.module.css'
import { partsOf } from './linking.ts'

export function LinkedText({ text }: { text: string }) {
  return (
    <span className={styles.text} lang={useLangOf(text)}>
      {partsOf(text).map((part, index) => {
        if (part.kind === 'text') return part.text
        if (part.kind === 'link') {
          return (
            <a
              key={index}
              className={styles.link}
              href={part.href}
              target="_blank"
              rel="noopener noreferrer nofollow ugc"
            >
              {part.text}
            </a>
          )
        }
        return (
          <Link
            key={index}
            className={styles.link}
            to="/creators/$handle"
            params={{ handle: part.handle }}
          >
            {part.text}
          </Link>
        )
      })}
    </span>
  )
}
