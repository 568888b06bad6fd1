import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import { useEntered } from './entering.ts'
import styles from './Join.module.css'
import { isDismissed, signInWithPasskey } from './passkeys.ts'
import { texts } from './texts.ts'
import { WhyNot } from './WhyNot.tsx'

export interface Credentials {
  identifier: string
  password: string
}

/** Names of the second factors that an account has. */
export type Factors = readonly string[]

/** Returns the account's second factors if the server requires one for the sign-in, else undefined. */
export function factorsOf(error: unknown): Factors | undefined {
  if (!isPlazaError(error, 'SECOND_FACTOR_REQUIRED')) return undefined
  return error.details.map(({ field }) => field)
}

interface Props {
  credentials: Credentials
  factors: Factors
  onDone?: (() => void) | undefined
  onBack: () => void
}

type Way = 'otp' | 'recovery_code'

export function SecondStep({ credentials, factors, onDone, onBack }: Props) {
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
export function PasskeyButton({ onDone, before }: Pick<Props, 'onDone'> & { before?: ReactNode }) {
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
