import { useQueryClient } from '@tanstack/react-query'
import { Flag, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Message } from '#sdk'
import { ReportDialog } from '../creators/UserItems.tsx'
import { useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import styles from './Log.module.css'
import { removeMessage } from './queries.ts'
import { texts } from './texts.ts'

export function RemoveMessage({ message }: { message: Message }) {
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

export function ReportMessage({ id }: { id: string }) {
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
