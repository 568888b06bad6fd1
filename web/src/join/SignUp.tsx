import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck, DoorClosed } from 'lucide-react'
import {
  type ChangeEvent,
  type FocusEvent,
  type FormEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type InputOf, isPlazaError, type Site } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useSite } from '../session/site.ts'
import { Button } from '../ui/Button.tsx'
import { fieldErrorsOf, focusField, TextArea, TextField } from '../ui/Field.tsx'
import { Progress } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toast.ts'
import { useEntered, useThen } from './entering.ts'
import { PasswordField, useWrongPassword, Welcome } from './formParts.tsx'
import styles from './Join.module.css'
import {
  DISPLAY_NAME_MAX,
  HANDLE_MAX,
  looksLikeEmail,
  PASSWORD_MAX,
  PASSWORD_MIN,
  wrongHandle,
} from './rules.ts'
import { texts } from './texts.ts'
import { type ProofOfWork, useProof } from './useProof.ts'

const route = getRouteApi('/sign-up')

export function SignUp() {
  const t = useTexts(texts)
  const { then } = route.useSearch()
  const content = useProof()
  useThen(then)
  const { proof } = content
  const site = useSite()
  const mode = site?.registration ?? 'open'
  const isUnset = proof.state === 'failed' && isPlazaError(proof.error, 'CAPTCHA_NOT_CONFIGURED')
  const isClosed = isUnset || mode === 'closed'
  return (
    <div className={styles.narrow}>
      <Page title={t.signUp} hasOwnHeading={!isClosed} width="reading">
        {isClosed ? (
          <Empty icon={<DoorClosed />} title={t.closed} action={t.lookAround} link={{ to: '/' }}>
            {isUnset ? t.closedHelp : t.closedByOperator}
          </Empty>
        ) : (
          <div className={styles.card}>
            <Welcome title={t.signUp} lead={t.signUpLead} />
            <SignUpForm content={content} mode={mode} />
          </div>
        )}
        {!isClosed && site && site.rules.length > 0 && (
          <p className={styles.other}>
            {t.readRules}{' '}
            <Link to="/rules" className={styles.link}>
              {t.rules}
            </Link>
          </p>
        )}
        <p className={styles.other}>
          {t.hasAccount}{' '}
          <Link to="/sign-in" search={true} className={styles.link}>
            {t.signIn}
          </Link>
        </p>
      </Page>
    </div>
  )
}

type Mode = NonNullable<Site['registration']>
type Registration = Omit<InputOf<'register'>, 'captcha_token'>

function SignUpForm({ content, mode }: { content: ProofOfWork; mode: Mode }) {
  const t = useTexts(texts)
  const { invite = '' } = route.useSearch()
  const form = useRef<HTMLFormElement>(null)
  const signUp = useSignUp(content)
  const fields = useSignUpFields(signUp.error, mode, invite)
  const { refused } = fields
  useEffect(() => {
    if (refused) focusField(form.current, refused)
  }, [refused, signUp.error])
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (signUp.isPending) return
    const wrong = fields.check()
    if (wrong) {
      focusField(form.current, wrong)
      return
    }
    const { handle, email, password, ...optional } = fields.values
    const given = Object.entries(optional).filter(([, value]) => value.trim())
    signUp.mutate({ handle, email, password, ...Object.fromEntries(given) })
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit} onFocus={content.start} noValidate>
      <Fields fields={fields} mode={mode} />
      <ProofBar proof={content.proof} start={content.start} />
      {signUp.error && !refused && <Problem error={signUp.error} retry={() => submit()} />}
      <Button type="submit" look="primary" wide busy={signUp.isPending}>
        {signUp.isPending && content.proof.state === 'working' ? t.waitingForProof : t.signUp}
      </Button>
    </form>
  )
}

function Fields({ fields, mode }: { fields: ReturnType<typeof useSignUpFields>; mode: Mode }) {
  const t = useTexts(texts)
  const { handle } = fields.values
  const bound = fields.bind('handle')
  return (
    <>
      <TextField
        label={t.handle}
        hint={wrongHandle(handle) ? !bound.error && t.handleRule : t.handleHint(handle)}
        {...bound}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck="false"
        maxLength={HANDLE_MAX}
        required
      />
      <TextField
        label={t.email}
        {...fields.bind('email')}
        type="email"
        autoComplete="email"
        maxLength={254}
        required
      />
      <TextField
        label={t.displayName}
        hint={t.displayNameHint}
        {...fields.bind('display_name')}
        autoComplete="nickname"
        maxLength={DISPLAY_NAME_MAX * 2}
      />
      <PasswordField
        label={t.password}
        hint={t.passwordHint(PASSWORD_MIN)}
        {...fields.bind('password')}
        autoComplete="new-password"
        maxLength={PASSWORD_MAX * 2}
        required
      />
      {mode === 'approval' && (
        <TextArea
          label={t.application}
          hint={t.applicationHint}
          {...fields.bind('application')}
          rows={4}
          maxLength={1000}
        />
      )}
      {(mode === 'approval' || mode === 'invite') && (
        <TextField
          label={mode === 'invite' ? t.inviteCode : t.inviteCodeOptional}
          {...fields.bind('invite_code')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck="false"
          maxLength={100}
          required={mode === 'invite'}
        />
      )}
    </>
  )
}

function useSignUp(content: ProofOfWork) {
  const t = useTexts(texts)
  const entered = useEntered()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (input: Registration) => {
      const captcha_token = await content.token()
      try {
        return await plaza.register({ ...input, captcha_token })
      } catch (error) {
        if (!isPlazaError(error, 'CAPTCHA_INVALID')) throw error
        // Requests a new token and submits again, because the previous token has expired.
        return plaza.register({ ...input, captcha_token: await content.token(true) })
      }
    },
    onSuccess: async (answer) => {
      if (!('user' in answer)) {
        toast(t.applied, { isForNextPage: true })
        void navigate({ to: '/' })
        return
      }
      const run = () => void navigate({ to: '/account' })
      const action = { label: t.completeProfile, run }
      // Keeps the notice on the next page, because the new session leads away from this page.
      toast(t.welcome(answer.user.display_name), { action, isForNextPage: true })
      await entered(answer)
    },
  })
}

function ProofBar({ proof, start }: Pick<ProofOfWork, 'proof' | 'start'>) {
  const t = useTexts(texts)
  const formats = useFormats()
  if (proof.state === 'failed') {
    // The page already explains that registration is closed.
    if (isPlazaError(proof.error, 'CAPTCHA_NOT_CONFIGURED')) return null
    return <Problem error={proof.error} retry={start} />
  }
  const isDone = proof.state === 'done'
  const share = isDone ? 1 : proof.state === 'working' ? proof.share : 0
  const status = { idle: t.proofIdle, working: t.proofWorking, done: t.proofDone }[proof.state]
  return (
    <div className={styles.proof}>
      <p className={styles.proofLine}>
        <span className={styles.proofName} role="status">
          {isDone && <CircleCheck />}
          {status}
        </span>
        <span className={styles.proofShare} aria-hidden="true">
          {formats.percent(share)}
        </span>
      </p>
      <Progress share={share} label={status} />
      <p className="fine">{t.proofWhy}</p>
    </div>
  )
}

const EMPTY = {
  handle: '',
  email: '',
  display_name: '',
  password: '',
  application: '',
  invite_code: '',
}
type Values = typeof EMPTY
type FieldName = keyof Values
type Errors = Partial<Record<FieldName, string | undefined>>
const NAMES = Object.keys(EMPTY) as FieldName[]

/** State and errors of the sign-up form's fields. `error` is the server's error for the last submission. */
function useSignUpFields(error: unknown, mode: Mode, invite: string) {
  const [values, setValues] = useState({ ...EMPTY, invite_code: invite })
  /** Fields that have lost the focus. Errors that unfinished input can cause show only in these fields. */
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set())
  /** Fields that changed after the last submission. These fields no longer show the server's errors. */
  const [changed, setChanged] = useState<ReadonlySet<FieldName>>(new Set())
  const wrong = useWrong(values, mode)
  const refused = refusalsOf(error)
  const shown = (name: FieldName): string | undefined => {
    const isEarly = !left.has(name) && !(name === 'handle' && wrong.isPlain)
    return (
      (isEarly ? undefined : wrong.errors[name]) ?? (changed.has(name) ? undefined : refused[name])
    )
  }
  return {
    values,
    /** Shows all errors and returns the first invalid field. */
    check: (): FieldName | undefined => {
      setLeft(new Set(NAMES))
      setChanged(new Set())
      return NAMES.find((name) => wrong.errors[name])
    },
    refused: NAMES.find((name) => refused[name]),
    bind: (name: FieldName) => ({
      name,
      value: values[name],
      error: shown(name),
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        if (target instanceof HTMLInputElement && name === 'handle') lowerCase(target)
        const { value } = target
        setValues((now) => ({ ...now, [name]: value }))
        setChanged((now) => new Set(now).add(name))
      },
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // Shows errors only when another field takes the focus. When the user presses a button, an error would move the
        // button, and the click would miss.
        if (!values[name] || !(relatedTarget instanceof HTMLInputElement)) return
        setLeft((now) => new Set(now).add(name))
      },
    }),
  }
}

/** Lowercases a field's text and keeps the cursor. If React changed the text, the cursor would move. */
function lowerCase(field: HTMLInputElement): void {
  const lower = field.value.toLowerCase()
  if (field.value === lower) return
  const { selectionStart, selectionEnd } = field
  field.value = lower
  field.setSelectionRange(selectionStart, selectionEnd)
}

function useWrong(values: Values, mode: Mode): { errors: Errors; isPlain: boolean } {
  const t = useTexts(texts)
  const handle = wrongHandle(values.handle)
  const password = useWrongPassword(values.password)
  const errors: Errors = {
    handle:
      handle &&
      { characters: t.handleCharacters, short: t.handleShort, long: t.handleLong }[handle],
    email: looksLikeEmail(values.email.trim()) ? undefined : t.emailWrong,
    display_name: lengthOf(values.display_name) > DISPLAY_NAME_MAX ? t.displayNameLong : undefined,
    password,
    application:
      mode === 'approval' && !values.application.trim() && !values.invite_code.trim()
        ? t.applicationMissing
        : undefined,
    invite_code: mode === 'invite' && !values.invite_code.trim() ? t.inviteMissing : undefined,
  }
  // `isPlain`: the handle contains an invalid character. The field shows this error while the user types.
  return { errors, isPlain: handle === 'characters' }
}

function refusalsOf(error: unknown): Errors {
  if (isPlazaError(error, 'HANDLE_TAKEN')) return { handle: error.message }
  if (isPlazaError(error, 'EMAIL_TAKEN')) return { email: error.message }
  if (isPlazaError(error, 'INVITE_INVALID')) return { invite_code: error.message }
  return fieldErrorsOf(error)
}
