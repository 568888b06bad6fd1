import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account, Deletion } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { deleteOnce, plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Account.module.css'
import { type Choices, ErasureChoices } from './ErasureChoices.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { texts } from './dataTexts.ts'

/** Notice of the scheduled deletion, with a button that cancels it. Every part of the account page shows it. */
export function DeletionNotice({ deletion }: { deletion: Deletion }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteOnce('DELETION_NOT_FOUND', () => plaza.me.cancelDeletion()),
    onSuccess: () => {
      toast(t.deletionCancelled)
      return queries.invalidateQueries({ queryKey: viewerQuery.queryKey })
    },
  })
  return (
    <section className={styles.leaving} aria-labelledby="leaving">
      <div>
        <h2 id="leaving">{t.due(formats.dateTime(deletion.due_at))}</h2>
        <p>
          {t.dueContents[deletion.contents as keyof typeof t.dueContents]}{' '}
          {t.dueTexts[deletion.texts as keyof typeof t.dueTexts]}
        </p>
      </div>
      <Button busy={isPending} onClick={() => mutate()}>
        {t.cancelDeletion}
      </Button>
      {error && <Problem error={error} />}
    </section>
  )
}

export function DeletionPart({ account: { deletion } }: { account: Account }) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <section className={`${styles.part} ${styles.apart}`}>
      <h3>{t.deletion}</h3>
      <p className="fine">{t.deletionHelp}</p>
      <div className={styles.actions}>
        <Button look={deletion ? 'quiet' : 'danger'} onClick={() => setIsAsking(true)}>
          {deletion ? t.change : t.deletion}
        </Button>
      </div>
      {isAsking && <DeletionDialog deletion={deletion} onClose={() => setIsAsking(false)} />}
    </section>
  )
}

interface Props {
  /** Scheduled deletion to change. Null when there is none yet. */
  deletion: Deletion | null
  onClose: () => void
}

function DeletionDialog({ deletion, onClose }: Props) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [choices, setChoices] = useState<Choices>({
    contents: deletion?.contents === 'keep' ? 'keep' : 'erase',
    texts: deletion?.texts === 'keep' ? 'keep' : 'erase',
  })
  return (
    <PasswordDialog
      title={deletion ? t.changeTitle : t.deletionTitle}
      description={deletion ? t.changeHelp : t.deletionWarning}
      act={deletion ? t.change : t.deletion}
      isDangerous={!deletion}
      run={(current_password) => plaza.me.scheduleDeletion({ current_password, ...choices })}
      onDone={() => {
        toast(deletion ? t.changed : t.scheduled)
        void queries.invalidateQueries({ queryKey: viewerQuery.queryKey })
        onClose()
        scrollTo({ top: 0 })
      }}
      onClose={onClose}
    >
      <ErasureChoices choices={choices} onChange={setChoices} />
    </PasswordDialog>
  )
}
