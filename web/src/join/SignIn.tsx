import { Link, getRouteApi, useLocation } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { Page } from '../ui/Page.tsx'
import styles from './Join.module.css'
import { texts } from './texts.ts'
import { useEntered, useThen } from './entering.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { IdentifierField, PasswordField } from './fields.tsx'
import {
  type Credentials,
  type Factors,
  factorsOf,
  PasskeyButton,
  SecondStep,
} from './SecondStep.tsx'
import { Suspended } from './Appeal.tsx'
import { Welcome } from './Welcome.tsx'
import { WhyNot } from './WhyNot.tsx'
import { forgetAction, runAction } from '../session/viewer.ts'
import { Dialog } from '../ui/Dialog.tsx'

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
