import { SiteMark } from '../ui/SiteMark.tsx'
import styles from './Join.module.css'

/** Heading of a card, below the logo of the site. */
export function Welcome({ title, lead }: { title: string; lead: string }) {
  return (
    <header className={styles.welcome}>
      <SiteMark />
      <h1>{title}</h1>
      <p>{lead}</p>
    </header>
  )
}
