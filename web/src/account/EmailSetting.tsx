import { useState } from 'react'
import { type Account, isPlazaError } from '#sdk'
import { PasswordField } from '../join/fields.tsx'
import { useResend } from '../join/UnverifiedNote.tsx'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Dialog.tsx'
import { fieldErrorsOf, restOf, TextField } from '../ui/Field.tsx'
import { Setting } from './Setting.tsx'
import { useUpdate } from './queries.ts'
import { texts } from './texts.ts'

export function EmailSetting({ account }: { account: Account }) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  const { email, email_verified, pending_email } = account
  return (
    <>
      <Setting
        title={t.email}
        badge={email_verified && t.emailVerified}
        value={email}
        note={t.emailHelp}
      >
        {!email_verified && pending_email === null && <Resend />}
        <Button size="small" onClick={() => setIsOpen(true)}>
          {t.changeEmail}
        </Button>
      </Setting>
      {isOpen && <EmailForm onDone={() => setIsOpen(false)} />}
      {pending_email !== null && <PendingEmail email={pending_email} />}
    </>
  )
}

function PendingEmail({ email }: { email: string }) {
  const t = useTexts(texts)
  const { mutate, isPending } = useUpdate(t.emailCancelled)
  return (
    <Setting title={t.pendingEmail} value={email} note={t.pendingEmailHelp}>
      <Resend />
      <Button size="small" busy={isPending} onClick={() => mutate({ pending_email: null })}>
        {t.cancelEmail}
      </Button>
    </Setting>
  )
}

function Resend() {
  const t = useTexts(texts)
  const { mutate, isPending } = useResend()
  return (
    <Button size="small" busy={isPending} onClick={() => mutate()}>
      {t.resendEmail}
    </Button>
  )
}

function EmailForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(texts)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useUpdate(
    (user) => (user.pending_email === null ? t.emailChanged : t.emailWaits),
    onDone,
  )
  const said = fieldErrorsOf(error)
  const rest = restOf(error, ['email', 'current_password'])
  const isTaken = isPlazaError(error, 'EMAIL_TAKEN')
  return (
    <Confirm
      isOpen
      onClose={onDone}
      title={t.changeEmail}
      act={t.changeEmail}
      missing={(!email || !password) && t.emailMissing}
      isBusy={isPending}
      error={isTaken ? undefined : rest}
      onConfirm={() => mutate({ email, current_password: password })}
    >
      <TextField
        type="email"
        label={t.newEmail}
        error={isTaken ? error.message : said['email']}
        value={email}
        autoComplete="email"
        required
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label={t.currentPassword}
        error={said['current_password']}
        value={password}
        autoComplete="current-password"
        required
        onChange={(event) => setPassword(event.target.value)}
      />
    </Confirm>
  )
}
