/** Subject of a case, as it was when the case was opened. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Case } from '#sdk'
import { contentQuery } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { filesOf, snapshotOf } from './snapshot.ts'

export function Subject({ item }: { item: Case }) {
  const t = useTexts(deskTexts)
  if (item.snapshot === null) return <p className={styles.muted}>{t.gone}</p>
  const { kind, id } = item.subject
  const snapshot = snapshotOf(item)
  const { title, description, body, bio, handle, display_name, content_id } = snapshot
  return (
    <>
      {handle && display_name && (
        <div className={styles.facts}>
          <Avatar
            user={{
              handle,
              display_name,
              avatar_url: snapshot.avatar_url ?? null,
              avatar_sizes: [],
            }}
          />
          <strong>{display_name}</strong> @{handle}
        </div>
      )}
      {title && <p className={styles.name}>{title}</p>}
      {item.subject.kind === 'content' && <Pictures item={item} />}
      {[description, body, bio].map(
        (text) =>
          text && (
            <p key={text} className={styles.said}>
              {text}
            </p>
          ),
      )}
      {content_id && <CommentedContent id={content_id} />}
      {kind === 'message' ? (
        <p className={styles.muted}>{t.private}</p>
      ) : (
        <div>
          {kind === 'content' && (
            <LinkButton size="small" to="/contents/$id" params={{ id }}>
              {t.view}
            </LinkButton>
          )}
          {content_id && (
            <LinkButton size="small" to="/contents/$id" params={{ id: content_id }} hash={id}>
              {t.view}
            </LinkButton>
          )}
          {kind === 'post' && (
            <LinkButton size="small" to="/posts/$id" params={{ id }}>
              {t.view}
            </LinkButton>
          )}
          {handle && (
            <LinkButton size="small" to="/creators/$handle" params={{ handle }}>
              {t.view}
            </LinkButton>
          )}
        </div>
      )}
    </>
  )
}

const PICTURES = 6

function Pictures({ item }: { item: Case }) {
  const { thumbnail_url } = snapshotOf(item)
  const pictures = filesOf(item).flatMap(({ url, isPicture }) => (isPicture ? [url] : []))
  const urls = pictures.length > 0 ? pictures.slice(0, PICTURES) : [thumbnail_url]
  if (!urls[0]) return null
  return (
    <div className={styles.pictures}>
      {urls.map((url) => url && <img key={url} src={url} alt="" loading="lazy" />)}
    </div>
  )
}

function CommentedContent({ id }: { id: string }) {
  const t = useTexts(deskTexts)
  const { data } = useQuery(contentQuery(id))
  if (!data) return null
  return (
    <p className={styles.muted}>
      <Link to="/contents/$id" params={{ id }} className={styles.link}>
        {t.on(data.title)}
      </Link>
    </p>
  )
}
