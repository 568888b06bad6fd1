import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type InputOf, isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useSite } from '../session/site.ts'
import { Button } from '../ui/Button.tsx'
import { fieldErrorsOf, TextField, useWrongField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toast.ts'
import { useEntered } from './entering.ts'
import { PasswordField } from './formParts.tsx'
import styles from './Join.module.css'
import { HANDLE_MAX, looksLikeEmail, PASSWORD_MAX, PASSWORD_MIN } from './rules.ts'
import { texts } from './texts.ts'

type Values = InputOf<'createFirstAdmin'>

const EMPTY: Values = { code: '', site_name: '', handle: '', email: '', password: '' }
const NAMES = Object.keys(EMPTY) as (keyof Values)[]

/** Page that creates the first administrator of a new site. */
export function Setup() {
  const t = useTexts(texts)
  const site = useSite()
  const setUp = useSetUp()
  const isOver = site?.setup_required === false && (setUp.isIdle || setUp.isError)
  return (
    <div className={styles.narrow}>
      <Page title={t.setUp} lead={isOver ? undefined : t.setUpLead} width="reading">
        {isOver ? (
          <Empty icon={<CircleCheck />} title={t.isSetUp} action={t.goHome} link={{ to: '/' }}>
            {t.isSetUpHelp}
          </Empty>
        ) : (
          <div className={styles.card}>
            <SetupForm setUp={setUp} />
          </div>
        )}
      </Page>
    </div>
  )
}

function SetupForm({ setUp }: { setUp: ReturnType<typeof useSetUp> }) {
  const { mutate, isPending, error } = setUp
  const t = useTexts(texts)
  const [values, setValues] = useState(EMPTY)
  const form = useWrongField(error)
  const errors = errorsOf(error)
  const rest = NAMES.some((name) => errors[name]) ? null : error
  const bind = (name: keyof Values) => ({
    name,
    value: values[name],
    error: errors[name],
    required: true,
    onChange: ({ target }: { target: { value: string } }) =>
      setValues((now) => ({ ...now, [name]: target.value })),
  })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isPending) mutate(values)
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t.setupCode}
        hint={t.setupCodeHint}
        {...bind('code')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck="false"
        maxLength={100}
      />
      <TextField
        label={t.siteName}
        hint={t.siteNameHint}
        {...bind('site_name')}
        autoComplete="off"
        maxLength={50}
      />
      <TextField
        label={t.handle}
        hint={t.handleRule}
        {...bind('handle')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck="false"
        maxLength={HANDLE_MAX}
      />
      <TextField
        label={t.email}
        {...bind('email')}
        error={errors['email'] && !looksLikeEmail(values.email) ? t.emailWrong : errors['email']}
        type="email"
        autoComplete="email"
        maxLength={254}
      />
      <PasswordField
        label={t.password}
        hint={t.passwordHint(PASSWORD_MIN)}
        {...bind('password')}
        autoComplete="new-password"
        maxLength={PASSWORD_MAX * 2}
      />
      {rest != null && <Problem error={rest} retry={() => submit()} />}
      <Button type="submit" look="primary" wide busy={isPending}>
        {t.setUp}
      </Button>
    </form>
  )
}

function useSetUp() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const entered = useEntered()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (values: Values) => plaza.createFirstAdmin(values),
    onSuccess: async (answer, { site_name }) => {
      toast(t.siteIsReady(site_name), { isForNextPage: true })
      // `entered` also refetches the site. Otherwise the home page would lead back to the setup.
      await entered(answer)
      await navigate({ to: '/', replace: true })
    },
    // Refetches the site, because another user may have completed the setup.
    onError: () => queries.invalidateQueries({ queryKey: ['site'] }),
  })
}

function errorsOf(error: unknown): Partial<Record<string, string>> {
  if (isPlazaError(error, 'SETUP_CODE_INVALID')) return { code: error.message }
  if (isPlazaError(error, 'HANDLE_TAKEN')) return { handle: error.message }
  if (isPlazaError(error, 'EMAIL_TAKEN')) return { email: error.message }
  return fieldErrorsOf(error)
}
