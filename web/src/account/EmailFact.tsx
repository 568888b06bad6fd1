import { useState } from 'react'
import { type Account, isPlazaError } from '#sdk'
import { PasswordField } from '../join/PasswordField.tsx'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { TextField } from '../ui/Field.tsx'
import { fieldErrorsOf, restOf } from '../ui/fieldErrors.ts'
import styles from './Account.module.css'
import { texts } from './texts.ts'
import { useUpdate } from './useUpdate.ts'

/** Shows the email address, with a form to change it. */
export function EmailFact({ account }: { account: Account }) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={styles.fact}>
      <div>
        <h3>{t.email}</h3>
        <p>{account.email}</p>
        <p className={styles.note}>{t.emailHelp}</p>
      </div>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t.changeEmail}
      </Button>
      {isOpen && <EmailForm onDone={() => setIsOpen(false)} />}
    </div>
  )
}

function EmailForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(texts)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useUpdate(t.emailChanged, onDone)
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
