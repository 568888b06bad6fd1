import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef } from 'react'
import { type InputOf, isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { focusField } from '../ui/focusField.ts'
import { Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Join.module.css'
import { PasswordField } from './PasswordField.tsx'
import { ProofBar } from './ProofBar.tsx'
import { DISPLAY_NAME_MAX, HANDLE_MAX, PASSWORD_MAX, PASSWORD_MIN, wrongHandle } from './rules.ts'
import { texts } from './texts.ts'
import { useEntered } from './useEntered.ts'
import type { ProofOfWork } from './useProof.ts'
import { useSignUpFields } from './useSignUpFields.ts'

type Registration = Omit<InputOf<'register'>, 'captcha_token'>

export function SignUpForm({ content }: { content: ProofOfWork }) {
  const t = useTexts(texts)
  const form = useRef<HTMLFormElement>(null)
  const signUp = useSignUp(content)
  const fields = useSignUpFields(signUp.error)
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
    const { display_name, ...rest } = fields.values
    signUp.mutate(display_name.trim() ? { ...rest, display_name } : rest)
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit} onFocus={content.start} noValidate>
      <Fields fields={fields} />
      <ProofBar proof={content.proof} start={content.start} />
      {signUp.error && !refused && <Problem error={signUp.error} retry={() => submit()} />}
      <Button type="submit" look="primary" wide busy={signUp.isPending}>
        {signUp.isPending && content.proof.state === 'working' ? t.waitingForProof : t.signUp}
      </Button>
    </form>
  )
}

function Fields({ fields }: { fields: ReturnType<typeof useSignUpFields> }) {
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
        spellCheck={false}
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
        // The token has expired, so the form computes a new one and submits again.
        return plaza.register({ ...input, captcha_token: await content.token(true) })
      }
    },
    onSuccess: async ({ user }) => {
      const run = () => void navigate({ to: '/account' })
      const action = { label: t.completeProfile, run }
      // The notice must survive the change of pages, because this page is left when the session starts.
      toast(t.welcome(user.display_name), { action, isForNextPage: true })
      await entered(user)
    },
  })
}
