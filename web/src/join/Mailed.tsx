import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { fieldErrorsOf, restOf, TextField, useWrongField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toast.ts'
import { IdentifierField, PasswordField, useWrongPassword, WhyNot } from './formParts.tsx'
import styles from './Join.module.css'
import { PASSWORD_MAX, PASSWORD_MIN } from './rules.ts'
import { texts } from './texts.ts'

export function ForgotPassword() {
  const t = useTexts(texts)
  const [identifier, setIdentifier] = useState('')
  const [usesCode, setUsesCode] = useState(false)
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => plaza.sessions.sendPasswordReset({ identifier: identifier.trim() }),
  })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (identifier.trim() && !isPending) mutate()
  }
  return (
    <div className={styles.narrow}>
      <Page title={t.forgotTitle} lead={usesCode ? t.recoveryLead : t.forgotLead} width="reading">
        <div className={styles.card}>
          {usesCode ? (
            <RecoveryReset />
          ) : (
            <form className={styles.form} onSubmit={submit}>
              <IdentifierField
                value={identifier}
                onChange={({ target }) => setIdentifier(target.value)}
              />
              <WhyNot
                error={error}
                text={isPlazaError(error, 'MAIL_NOT_CONFIGURED') && t.noMail}
                retry={submit}
              />
              <div role="status">
                {isSuccess && (
                  <>
                    <h2 className={styles.done}>{t.sent}</h2>
                    <p className="fine">{t.sentHelp}</p>
                  </>
                )}
              </div>
              <Button type="submit" look={isSuccess ? 'quiet' : 'primary'} wide busy={isPending}>
                {isSuccess ? t.sendAgain : t.send}
              </Button>
            </form>
          )}
        </div>
        <Button look="plain" wide onClick={() => setUsesCode(!usesCode)}>
          {usesCode ? t.withMail : t.withRecoveryCode}
        </Button>
        <p className={styles.other}>
          <Link to="/sign-in" className={styles.link}>
            {t.backToSignIn}
          </Link>
        </p>
      </Page>
    </div>
  )
}

export function ResetPassword() {
  const t = useTexts(texts)
  return (
    <MailedLink title={t.resetTitle} lead={t.resetLead}>
      <ResetForm />
    </MailedLink>
  )
}

function ResetForm() {
  const t = useTexts(texts)
  const token = useMailedToken()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [tries, setTries] = useState(0)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.sessions.confirmPasswordReset({ token, new_password: password }),
    onSuccess: () => {
      toast(t.passwordSet, { isForNextPage: true })
      void navigate({ to: '/sign-in', replace: true })
    },
  })
  const ref = useWrongField(error, tries)
  const wrong = useWrongPassword(password)
  const rest = restOf(error, ['new_password'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (wrong) setTries(tries + 1)
    else if (!isPending) mutate()
  }
  return (
    <form ref={ref} className={styles.form} noValidate onSubmit={submit}>
      <PasswordField
        label={t.newPassword}
        hint={t.passwordHint(PASSWORD_MIN)}
        error={(tries > 0 && wrong) || fieldErrorsOf(error)['new_password']}
        name="new_password"
        value={password}
        autoComplete="new-password"
        required
        onChange={({ target }) => setPassword(target.value)}
      />
      <WhyNot error={rest} text={refusalOf(rest)}>
        <Link to="/forgot-password" className={styles.link}>
          {t.askAgain}
        </Link>
      </WhyNot>
      <Button type="submit" look="primary" wide busy={isPending}>
        {t.setPassword}
      </Button>
    </form>
  )
}

export function VerifyEmail() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return (
    <MailedLink title={t.verifyTitle} lead={t.verifyLead}>
      <UseToken
        act={t.verify}
        done={t.verified}
        doneHelp={t.verifiedHelp}
        run={async (token) => {
          await plaza.me.verifyEmail({ token })
          void queries.invalidateQueries({ queryKey: viewerQuery.queryKey })
        }}
        next={
          <LinkButton to="/" look="primary" wide>
            {t.toStart}
          </LinkButton>
        }
      />
    </MailedLink>
  )
}

export function UndoEmail() {
  const t = useTexts(texts)
  return (
    <MailedLink title={t.undoTitle} lead={t.undoLead}>
      <UseToken
        act={t.undo}
        done={t.undone}
        doneHelp={t.undoneHelp}
        run={(token) => plaza.me.undoEmail({ token })}
        next={
          <LinkButton to="/sign-in" wide>
            {t.backToSignIn}
          </LinkButton>
        }
      />
    </MailedLink>
  )
}

/**
 * Returns the token of a mailed link, or an empty string. The token is in the URL's fragment, so that it never reaches
 * a server log.
 */
function useMailedToken(): string {
  const { hash } = useLocation()
  return new URLSearchParams(hash).get('token') ?? ''
}

interface MailedProps {
  title: string
  lead: string
  children: ReactNode
}

/** Page of a mailed link. Explains that the link is incomplete if the token is missing. */
function MailedLink({ title, lead, children }: MailedProps) {
  const t = useTexts(texts)
  const hasToken = useMailedToken() !== ''
  return (
    <div className={styles.narrow}>
      <Page
        title={hasToken ? title : t.noToken}
        lead={hasToken ? lead : t.noTokenHelp}
        width="reading"
      >
        {hasToken && <div className={styles.card}>{children}</div>}
      </Page>
    </div>
  )
}

interface ActProps {
  act: string
  done: string
  doneHelp: string
  run: (token: string) => Promise<unknown>
  /** Link or button to show when the action is done. */
  next: ReactNode
}

/** Button that uses the token. Opening the page must not use the token, because mail programs also open links. */
function UseToken({ act, done, doneHelp, run, next }: ActProps) {
  const token = useMailedToken()
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => run(token) })
  if (isSuccess) {
    return (
      <div className={styles.form} role="status">
        <h2 className={styles.done}>{done}</h2>
        <p className="fine">{doneHelp}</p>
        {next}
      </div>
    )
  }
  return (
    <div className={styles.form}>
      <WhyNot error={error} text={refusalOf(error)} retry={() => mutate()} />
      <Button look="primary" wide busy={isPending} onClick={() => mutate()}>
        {act}
      </Button>
    </div>
  )
}

/** Returns the server's message if the link or its email address cannot be used. */
function refusalOf(error: unknown): string | undefined {
  const isRefused = isPlazaError(error, 'TOKEN_INVALID') || isPlazaError(error, 'EMAIL_TAKEN')
  return isRefused ? error.message : undefined
}

/** Form that sets a new password with a recovery code, for users without access to their mail. */
function RecoveryReset() {
  const t = useTexts(texts)
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
        label={t.recoveryCode}
        hint={t.recoveryCodeHelp}
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
        hint={t.passwordHint(PASSWORD_MIN)}
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
