import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { forgetAction, runAction } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { type Credentials, Suspended } from './Appeal.tsx'
import { isDismissed, signInWithPasskey, useEntered, useThen } from './entering.ts'
import { IdentifierField, PasswordField, Welcome, WhyNot } from './formParts.tsx'
import styles from './Join.module.css'
import { texts } from './texts.ts'

const route = getRouteApi('/sign-in')

export function SignIn() {
  const t = useTexts(texts)
  const { then } = route.useSearch()
  useThen(then)
  return (
    <div className={styles.narrow}>
      <Page title={t.signIn} hasOwnHeading width="reading">
        <div className={styles.card}>
          <Welcome title={t.signIn} lead={then ? t.signInToDo : t.signInLead} />
          <SignInForm />
        </div>
        <p className={styles.other}>
          {t.noAccount}{' '}
          <Link to="/sign-up" search={true} className={styles.link}>
            {t.signUp}
          </Link>
        </p>
      </Page>
    </div>
  )
}

interface Props {
  /** Called after the sign-in, once the page's data has been refetched. */
  onDone?: () => void
  takesFocus?: boolean
}

function SignInForm(props: Props) {
  const [second, setSecond] = useState<{ credentials: Credentials; factors: Factors }>()
  if (!second) return <FirstStep {...props} onSecond={setSecond} />
  return <SecondStep {...second} onDone={props.onDone} onBack={() => setSecond(undefined)} />
}

interface FirstProps extends Props {
  /** Called when the account has a second factor. */
  onSecond: (second: { credentials: Credentials; factors: Factors }) => void
}

function FirstStep({ onDone, onSecond, takesFocus = false }: FirstProps) {
  const t = useTexts(texts)
  const form = useRef<HTMLFormElement>(null)
  const onSuccess = useEntered(onDone)
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus()
  }, [takesFocus])
  const signIn = useMutation({
    mutationFn: (input: Credentials) => plaza.signIn(input),
    onSuccess,
    onError: (cause, credentials) => {
      const factors = factorsOf(cause)
      if (factors) onSecond({ credentials, factors })
      if (!isPlazaError(cause, 'INVALID_CREDENTIALS')) return
      form.current?.querySelector<HTMLInputElement>('[name="password"]')?.select()
    },
  })
  const { error } = signIn
  const refusal = isPlazaError(error, 'INVALID_CREDENTIALS')
    ? t.wrongPair
    : isPlazaError(error, 'ACCOUNT_SUSPENDED') && error.message
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!form.current || signIn.isPending) return
    const data = new FormData(form.current)
    signIn.mutate({
      identifier: String(data.get('identifier')).trim(),
      password: String(data.get('password')),
    })
  }
  return (
    <>
      <form ref={form} className={styles.form} onSubmit={submit}>
        <IdentifierField />
        <PasswordField
          label={t.password}
          name="password"
          autoComplete="current-password"
          required
          maxLength={1000}
        />
        <WhyNot error={error} text={refusal} retry={submit} />
        <Button type="submit" look="primary" wide busy={signIn.isPending}>
          {t.signIn}
        </Button>
        <p className={styles.forgot}>
          <Link to="/forgot-password" className={styles.link} onClick={forgetAction}>
            {t.forgotPassword}
          </Link>
        </p>
        <PasskeyButton onDone={onDone} before={<p className={styles.or}>{t.or}</p>} />
      </form>
      {isPlazaError(error, 'ACCOUNT_SUSPENDED') && signIn.variables && (
        <Suspended error={error} credentials={signIn.variables} />
      )}
    </>
  )
}

export function SignInDialog() {
  const t = useTexts(texts)
  const { href } = useLocation()
  return (
    <Dialog isOpen onClose={forgetAction} title={t.signInTitle} description={t.signInToDo}>
      <SignInForm onDone={runAction} takesFocus />
      <p className={styles.other}>
        {t.noAccount}{' '}
        {/* oxlint-disable-next-line unicorn/no-thenable -- `then` is a query parameter, not a method of a promise */}
        <Link to="/sign-up" search={{ then: href }} className={styles.link} onClick={forgetAction}>
          {t.signUp}
        </Link>
      </p>
    </Dialog>
  )
}

/** Names of the second factors that an account has. */
type Factors = readonly string[]

/** Returns the account's second factors if the server requires one for the sign-in, else undefined. */
function factorsOf(error: unknown): Factors | undefined {
  if (!isPlazaError(error, 'SECOND_FACTOR_REQUIRED')) return undefined
  return error.details.map(({ field }) => field)
}

interface SecondProps {
  credentials: Credentials
  factors: Factors
  onDone?: (() => void) | undefined
  onBack: () => void
}

type Way = 'otp' | 'recovery_code'

function SecondStep({ credentials, factors, onDone, onBack }: SecondProps) {
  const t = useTexts(texts)
  const form = useRef<HTMLFormElement>(null)
  const onSuccess = useEntered(onDone)
  const [way, setWay] = useState<Way | undefined>(() =>
    factors.includes('otp') ? 'otp' : undefined,
  )
  const [code, setCode] = useState('')
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [way])
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.signIn({ ...credentials, ...(way && { [way]: code }) }),
    onSuccess,
    onError: () => form.current?.querySelector('input')?.select(),
  })
  const choose = (chosen: Way) => {
    setWay(chosen)
    setCode('')
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (way && code.trim() && !isPending) mutate()
  }
  const isWrong = isPlazaError(error, 'SECOND_FACTOR_INVALID')
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      <div>
        <h2 className={styles.done}>{t.secondStep}</h2>
        <p className="fine">{t.secondStepHelp}</p>
      </div>
      {way && (
        <>
          <TextField
            key={way}
            label={way === 'otp' ? t.otp : t.recoveryCode}
            hint={way === 'otp' ? t.otpHelp : t.recoveryCodeHelp}
            error={isWrong ? error.message : undefined}
            value={code}
            inputMode={way === 'otp' ? 'numeric' : 'text'}
            autoComplete={way === 'otp' ? 'one-time-code' : 'off'}
            autoCapitalize="none"
            spellCheck="false"
            required
            maxLength={40}
            onChange={({ target }) => setCode(target.value)}
          />
          {error && !isWrong && <Problem error={error} retry={submit} />}
          <Button type="submit" look="primary" wide busy={isPending}>
            {t.signIn}
          </Button>
        </>
      )}
      {factors.includes('passkey') && <PasskeyButton onDone={onDone} />}
      {way !== 'otp' && factors.includes('otp') && (
        <Button look="plain" wide onClick={() => choose('otp')}>
          {t.useApp}
        </Button>
      )}
      {way !== 'recovery_code' && factors.includes('recovery_code') && (
        <Button look="plain" wide onClick={() => choose('recovery_code')}>
          {t.useRecoveryCode}
        </Button>
      )}
      <Button look="plain" wide onClick={onBack}>
        {t.back}
      </Button>
    </form>
  )
}

/** Button that signs in with a passkey instead of a password. Renders nothing in browsers without passkeys. */
function PasskeyButton({ onDone, before }: Pick<SecondProps, 'onDone'> & { before?: ReactNode }) {
  const t = useTexts(texts)
  const onSuccess = useEntered(onDone)
  const { mutate, isPending, error } = useMutation({ mutationFn: signInWithPasskey, onSuccess })
  if (!window.PublicKeyCredential) return null
  const refusal = isPlazaError(error, 'ACCOUNT_SUSPENDED')
    ? error.message
    : isPlazaError(error, 'INVALID_CREDENTIALS')
      ? t.unknownPasskey
      : isDismissed(error) && t.noPasskey
  return (
    <>
      {before}
      <Button wide icon={<KeyRound />} busy={isPending} onClick={() => mutate()}>
        {t.withPasskey}
      </Button>
      <WhyNot error={error} text={refusal} retry={() => mutate()} />
    </>
  )
}
