import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Join.module.css'
import type { Credentials } from './SecondStep.tsx'
import { texts } from './texts.ts'

interface Props {
  credentials: Credentials
  /** Fields above the appeal. */
  children?: ReactNode
}

/** Form for an appeal against a suspension. It sends the credentials, because a suspended user has no session. */
export function AppealForm({ credentials, children }: Props) {
  const t = useTexts(texts)
  const [body, setBody] = useState('')
  const appeal = useMutation({
    mutationFn: () => plaza.reports.createSuspensionAppeal({ ...credentials, body }),
  })
  if (appeal.data) {
    const { answer } = appeal.data.appeal
    return (
      <div role="status">
        <p>{answer ? t.appealAnswer : t.appealSent}</p>
        {answer && <p className={styles.reason}>{answer}</p>}
      </div>
    )
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!appeal.isPending) appeal.mutate()
      }}
    >
      {children}
      <TextArea
        label={t.appealBody}
        hint={t.appealHelp}
        value={body}
        maxLength={2000}
        required
        onChange={({ target }) => setBody(target.value)}
      />
      {isPlazaError(appeal.error, 'INVALID_CREDENTIALS') ? (
        <p className={styles.refusal} role="alert">
          {t.wrongPair}
        </p>
      ) : (
        appeal.error && <Problem error={appeal.error} />
      )}
      <Button type="submit" wide busy={appeal.isPending}>
        {t.appealSend}
      </Button>
    </form>
  )
}
