import { useLangOf } from '../language/script.ts'
import styles from './LinkedText.module.css'
import { partsOf } from './linking.ts'
import { UserLink } from './UserLink.tsx'

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
          <UserLink key={index} className={styles.link} handle={part.handle}>
            {part.text}
          </UserLink>
        )
      })}
    </span>
  )
}
