import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isPlazaError, type PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { IdentifierField, PasswordField, WhyNot } from './formParts.tsx'
import styles from './Join.module.css'
import { PASSWORD_MAX } from './rules.ts'
import { texts } from './texts.ts'

export interface Credentials {
  identifier: string
  password: string
}

/** Page on which users of suspended accounts appeal without signing in. */
export function Appeal() {
  const t = useTexts(texts)
  const [identifier, setIdentifier] = useState('')
  const [password, setPassword] = useState('')
  return (
    <div className={styles.narrow}>
      <Page title={t.appeal} lead={t.appealLead} width="reading">
        <div className={styles.card}>
          <AppealForm credentials={{ identifier: identifier.trim(), password }}>
            <IdentifierField
              value={identifier}
              onChange={({ target }) => setIdentifier(target.value)}
            />
            <PasswordField
              label={t.password}
              name="password"
              autoComplete="current-password"
              required
              maxLength={PASSWORD_MAX}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </AppealForm>
        </div>
      </Page>
    </div>
  )
}

interface SuspendedProps {
  error: PlazaError
  credentials: Credentials
}

/** Reason for a suspension, and the form for an appeal. */
export function Suspended({ error, credentials }: SuspendedProps) {
  const t = useTexts(texts)
  const reason = error.details.find(({ field }) => field === 'reason')?.message
  return (
    <section className={styles.suspended} aria-label={t.appeal}>
      {reason && (
        <p className={styles.reason}>
          <strong>{t.suspendedBecause}</strong>
          {reason}
        </p>
      )}
      <AppealForm credentials={credentials} />
    </section>
  )
}

interface FormProps {
  credentials: Credentials
  /** Fields above the appeal. */
  children?: ReactNode
}

/** Form for an appeal against a suspension. It sends the credentials, because a suspended user has no session. */
function AppealForm({ credentials, children }: FormProps) {
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
      <WhyNot
        error={appeal.error}
        text={isPlazaError(appeal.error, 'INVALID_CREDENTIALS') && t.wrongPair}
      />
      <Button type="submit" wide busy={appeal.isPending}>
        {t.appealSend}
      </Button>
    </form>
  )
}
