import { useState } from 'react'
import { type Account, isPlazaError } from '#sdk'
import { PasswordField } from '../join/formParts.tsx'
import { DISPLAY_NAME_MAX } from '../join/rules.ts'
import { useResend } from '../join/UnverifiedNote.tsx'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Confirm } from '../ui/Dialog.tsx'
import { Counter, fieldErrorsOf, restOf, TextArea, TextField } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import styles from './Account.module.css'
import { Picture } from './Picture.tsx'
import { useUpdate } from './queries.ts'
import { Setting } from './settings.tsx'
import { texts } from './texts.ts'

const BIO_MAX = 500

/** Unsaved input. A field is undefined until the user edits it. */
export interface ProfileDraft {
  name?: string | undefined
  bio?: string | undefined
}

interface Props {
  account: Account
  /** The parent stores the draft, so that it survives a change of tabs. */
  draft: ProfileDraft
  onDraft: (change: (now: ProfileDraft) => ProfileDraft) => void
}

export function ProfilePart(props: Props) {
  const { account } = props
  const t = useTexts(texts)
  return (
    <>
      <Picture account={account} />
      <div className={styles.apart}>
        <ProfileForm {...props} />
      </div>
      <div className={`${styles.facts} ${styles.apart}`}>
        <Setting title={t.handle} value={`@${account.handle}`} note={t.handleHelp}>
          <LinkButton size="small" to="/creators/$handle" params={{ handle: account.handle }}>
            {t.profileLink}
          </LinkButton>
        </Setting>
        <EmailSetting account={account} />
      </div>
    </>
  )
}

function ProfileForm({ account, draft, onDraft }: Props) {
  const t = useTexts(texts)
  const { name = account.display_name, bio = account.bio ?? '' } = draft
  const [tries, setTries] = useState(0)
  const { mutateAsync, isPending, error } = useUpdate(t.saved)
  const save = async () => {
    try {
      await mutateAsync({ display_name: name, bio: bio.trim() ? bio : null })
    } catch {
      return
    }
    // Discards the saved input, so that the fields show the server's trimmed values. Keeps fields that the user has
    // changed during the request.
    onDraft((now) => ({
      name: now.name === name ? undefined : now.name,
      bio: now.bio === bio ? undefined : now.bio,
    }))
    setTries(0)
  }
  const said = fieldErrorsOf(error)
  const overOf = (text: string, max: number) =>
    lengthOf(text) > max ? t.tooLong(lengthOf(text) - max) : undefined
  const isMissing = lengthOf(name) === 0
  const [wrongName, wrongBio] = [overOf(name, DISPLAY_NAME_MAX), overOf(bio, BIO_MAX)]
  const submit = () => {
    if (isMissing || wrongName || wrongBio) setTries(tries + 1)
    else void save()
  }
  return (
    <Form
      error={error}
      fields={['display_name', 'bio']}
      tries={tries}
      submit={t.save}
      isBusy={isPending}
      isUnchanged={name === account.display_name && bio === (account.bio ?? '')}
      onSubmit={submit}
    >
      <TextField
        label={t.name}
        hint={t.nameHelp}
        error={wrongName ?? (tries > 0 && isMissing ? t.required : said['display_name'])}
        value={name}
        autoComplete="nickname"
        required
        onChange={({ target }) => onDraft((now) => ({ ...now, name: target.value }))}
      />
      <TextArea
        label={t.bio}
        hint={
          <>
            {t.bioHelp} <Counter length={lengthOf(bio)} max={BIO_MAX} />
          </>
        }
        error={wrongBio ?? said['bio']}
        value={bio}
        onChange={({ target }) => onDraft((now) => ({ ...now, bio: target.value }))}
      />
    </Form>
  )
}

function EmailSetting({ account }: { account: Account }) {
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
