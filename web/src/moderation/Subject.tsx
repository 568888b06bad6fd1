/** Subject of a case, as it was when the case was opened. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Case } from '#sdk'
import { contentQuery } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Avatar } from '../ui/User.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { filesOf, snapshotOf } from './snapshot.ts'

export function Subject({ item }: { item: Case }) {
  const t = useTexts(deskTexts)
  if (item.snapshot === null) return <p className="fine">{t.gone}</p>
  const snapshot = snapshotOf(item)
  const { title, description, body, bio, handle, display_name, content_id } = snapshot
  const page = pageOf(item.subject, snapshot)
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
      {item.subject.kind === 'message' ? (
        <p className="fine">{t.private}</p>
      ) : (
        page && (
          <div>
            <LinkButton size="small" {...page}>
              {t.view}
            </LinkButton>
          </div>
        )
      )}
    </>
  )
}

/** Returns the page that shows a subject. Undefined for messages. */
function pageOf({ kind, id }: Case['subject'], snapshot: ReturnType<typeof snapshotOf>) {
  const { content_id, handle } = snapshot
  if (kind === 'content') return { to: '/contents/$id', params: { id } } as const
  if (content_id) return { to: '/contents/$id', params: { id: content_id }, hash: id } as const
  if (kind === 'post') return { to: '/posts/$id', params: { id } } as const
  return handle ? ({ to: '/creators/$handle', params: { handle } } as const) : undefined
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
    <p className="fine">
      <Link to="/contents/$id" params={{ id }} className={styles.link}>
        {t.on(data.title)}
      </Link>
    </p>
  )
}
