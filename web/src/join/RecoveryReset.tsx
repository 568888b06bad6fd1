import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { fieldErrorsOf, restOf, TextField } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Join.module.css'
import { texts } from './mailedTexts.ts'
import { IdentifierField, PasswordField } from './fields.tsx'
import { PASSWORD_MAX, PASSWORD_MIN } from './rules.ts'
import { texts as joinTexts } from './texts.ts'

/** Form that sets a new password with a recovery code, for users without access to their mail. */
export function RecoveryReset() {
  const t = useTexts(texts)
  const { recoveryCode, recoveryCodeHelp, passwordHint } = useTexts(joinTexts)
  const [identifier, setIdentifier] = useState('')
  const [recovery_code, setCode] = useState('')
  const [new_password, setPassword] = useState('')
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      plaza.sessions.confirmPasswordReset({ identifier, recovery_code, new_password }),
    onSuccess: () => {
      toast(t.passwordSet, { isForNextPage: true })
      void navigate({ to: '/sign-in', replace: true })
    },
  })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isPending) mutate()
  }
  const isWrong = isPlazaError(error, 'TOKEN_INVALID')
  const rest = isWrong ? undefined : restOf(error, ['new_password'])
  return (
    <form className={styles.form} onSubmit={submit}>
      <IdentifierField value={identifier} onChange={({ target }) => setIdentifier(target.value)} />
      <TextField
        label={recoveryCode}
        hint={recoveryCodeHelp}
        error={isWrong ? t.wrongRecoveryCode : undefined}
        value={recovery_code}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        required
        maxLength={40}
        onChange={({ target }) => setCode(target.value)}
      />
      <PasswordField
        label={t.newPassword}
        hint={passwordHint(PASSWORD_MIN)}
        error={fieldErrorsOf(error)['new_password']}
        value={new_password}
        autoComplete="new-password"
        required
        minLength={PASSWORD_MIN}
        maxLength={PASSWORD_MAX}
        onChange={({ target }) => setPassword(target.value)}
      />
      {rest != null && <Problem error={rest} retry={submit} />}
      <Button type="submit" look="primary" wide busy={isPending}>
        {t.setPassword}
      </Button>
    </form>
  )
}
