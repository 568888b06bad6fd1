import { Film, Music, Package } from 'lucide-react'
import type { ContentDetail } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Panel } from '../ui/Panel.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'

/** List of the content's files. They cannot be changed after the content is created. */
export function MediaList({ content: { media, game } }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const formats = useFormats()
  if (media.length === 0) return null
  return (
    <Panel title={t.media}>
      <p className={styles.note}>{game ? t.mediaHelpGame : t.mediaHelp}</p>
      <ul className={styles.media}>
        {media.map(({ upload_id, url, mime_type, size_bytes }, at) => {
          const [kind] = mime_type.split('/', 1)
          const Icon = kind === 'video' ? Film : kind === 'audio' ? Music : Package
          if (kind === 'image') {
            return (
              <li key={upload_id}>
                <img className={styles.square} src={url} alt={t.mediumOf(at + 1)} loading="lazy" />
              </li>
            )
          }
          return (
            <li key={upload_id} className={styles.medium}>
              <Icon aria-hidden="true" />
              <span>{mime_type.split('/')[1]}</span>
              <span>{formats.bytes(size_bytes)}</span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
