import { useQueryClient } from '@tanstack/react-query'
import { Flag, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Message, UserRef } from '#sdk'
import { ReportDialog } from '../creators/UserItems.tsx'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { useProblemText } from '../ui/Problem.tsx'
import { LinkedText } from '../ui/User.tsx'
import styles from './Log.module.css'
import type { Row } from './messageRows.ts'
import { discard, retry, type Unsent } from './outbox.ts'
import { removeMessage } from './queries.ts'
import { texts } from './texts.ts'

interface BubbleProps {
  row: Row
  isOwn: boolean
  peer: UserRef | undefined
  isLastRead: boolean
}

/** Message with its state, and with a button to delete or report it. */
export function Bubble({ row, isOwn, peer, isLastRead }: BubbleProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { message, stored, unsent, isFirst, isLast } = row
  const look = [styles.row, isOwn && styles.own, isFirst && styles.first, isLast && styles.last]
  const isFailed = unsent?.state === 'failed'
  return (
    <div className={look.filter(Boolean).join(' ')} data-state={unsent?.state}>
      <div className={styles.line}>
        <div className={styles.bubble}>
          <span className="unseen">{isOwn ? t.you : peer?.display_name}: </span>
          {message.is_deleted ? (
            <span className={styles.deleted}>
              {stored?.hidden_by ? t.messageHidden : t.messageDeleted}
            </span>
          ) : (
            <LinkedText text={message.body} />
          )}
        </div>
        {stored &&
          !stored.is_deleted &&
          (isOwn ? <RemoveMessage message={stored} /> : <ReportMessage id={stored.id} />)}
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
  return (
    <div className={styles.failed} role="alert">
      <p>
        {t.failed} {error !== undefined && reason}
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

function RemoveMessage({ message }: { message: Message }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <IconButton
        icon={<Trash2 />}
        label={t.deleteMessage}
        className={styles.remove ?? ''}
        onClick={() => setIsAsking(true)}
      />
      <ConfirmRequest
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t.deleteMessageTitle}
        description={t.deleteMessageHelp}
        act={t.discard}
        isDangerous
        request={() => removeMessage(queries, message)}
      />
    </>
  )
}

function ReportMessage({ id }: { id: string }) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton
        icon={<Flag />}
        label={t.reportMessage}
        className={styles.remove ?? ''}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <ReportDialog
            subject={{ kind: 'message', id }}
            title={t.reportMessage}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
