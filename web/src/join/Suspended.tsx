import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Join.module.css'
import type { Credentials } from './SecondStep.tsx'
import { texts } from './texts.ts'

interface Props {
  error: PlazaError
  credentials: Credentials
}

/** Shows why an account is suspended. An appeal sends the credentials again, because there is no session. */
export function Suspended({ error, credentials }: Props) {
  const t = useTexts(texts)
  const [body, setBody] = useState('')
  const reason = error.details.find(({ field }) => field === 'reason')?.message
  const appeal = useMutation({
    mutationFn: () => plaza.reports.createSuspensionAppeal({ ...credentials, body }),
  })
  return (
    <section className={styles.suspended} aria-label={t.appeal}>
      {reason && (
        <p className={styles.reason}>
          <strong>{t.suspendedBecause}</strong>
          {reason}
        </p>
      )}
      {appeal.data ? (
        <div role="status">
          <p>{appeal.data.appeal.answer ? t.appealAnswer : t.appealSent}</p>
          {appeal.data.appeal.answer && (
            <p className={styles.reason}>{appeal.data.appeal.answer}</p>
          )}
        </div>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (!appeal.isPending) appeal.mutate()
          }}
        >
          <TextArea
            label={t.appealBody}
            hint={t.appealHelp}
            value={body}
            maxLength={2000}
            required
            onChange={({ target }) => setBody(target.value)}
          />
          {appeal.error && <Problem error={appeal.error} />}
          <Button type="submit" wide busy={appeal.isPending}>
            {t.appealSend}
          </Button>
        </form>
      )}
    </section>
  )
}
