import { useQueryClient } from '@tanstack/react-query'
import { isPlazaError, type UserRef } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { LinkedText } from '../ui/LinkedText.tsx'
import { useProblemText } from '../ui/Problem.tsx'
import styles from './Bubble.module.css'
import { discard, retry, type Unsent } from './outbox.ts'
import type { Row } from './rows.ts'
import { texts } from './texts.ts'

interface Props {
  row: Row
  isOwn: boolean
  peer: UserRef | undefined
  /** True for the last message that the other user has read. */
  isLastRead: boolean
}

/** A message. The viewer's messages are on the right, those of the other user on the left. */
export function Bubble({ row, isOwn, peer, isLastRead }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { message, unsent, isFirst, isLast } = row
  const look = [styles.row, isOwn && styles.own, isFirst && styles.first, isLast && styles.last]
  const isFailed = unsent?.state === 'failed'
  return (
    <div className={look.filter(Boolean).join(' ')} data-state={unsent?.state}>
      <div className={styles.bubble}>
        <span className="unseen">{isOwn ? t.you : peer?.display_name}: </span>
        <LinkedText text={message.body} />
      </div>
      {isFailed && <Failed unsent={unsent} />}
      {!isFailed && (isLast || isLastRead) && (
        <p className={styles.facts}>
          {unsent ? (
            t.sending
          ) : (
            <time dateTime={row.created_at}>{formats.time(row.created_at)}</time>
          )}
          {isLastRead && <span>{t.read}</span>}
        </p>
      )}
    </div>
  )
}

function Failed({ unsent }: { unsent: Unsent }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { error } = unsent
  const reason = useProblemText(error)
  // Hides the reason here, because the page shows it in place of the message box.
  const isGone = isPlazaError(error, 'PEER_UNAVAILABLE')
  return (
    <div className={styles.failed} role="alert">
      <p>
        {t.failed} {error !== undefined && !isGone && reason}
      </p>
      <p className={styles.ways}>
        <button type="button" onClick={() => retry(queries, unsent)}>
          {t.retry}
        </button>
        <button type="button" onClick={() => discard(unsent)}>
          {t.discard}
        </button>
      </p>
    </div>
  )
}
