/** Headings, fields and error messages of the forms that sign in, sign up and set passwords. */
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import { SiteMark } from '../ui/SiteMark.tsx'
import styles from './Join.module.css'
import { PASSWORD_MAX, PASSWORD_MIN, passwordLengthOf } from './rules.ts'
import { texts } from './texts.ts'

export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'style'>) {
  const t = useTexts(texts)
  const [isShown, setIsShown] = useState(false)
  return (
    <div className={styles.password}>
      <TextField
        autoCapitalize="none"
        spellCheck="false"
        {...props}
        type={isShown ? 'text' : 'password'}
        style={{ paddingInlineEnd: 52 }}
      />
      <IconButton
        className={styles.eye}
        icon={isShown ? <EyeOff /> : <Eye />}
        label={isShown ? t.hidePassword : t.showPassword}
        onClick={() => setIsShown(!isShown)}
      />
    </div>
  )
}

/** Field for a handle or an email address. */
export function IdentifierField(props: Pick<ComponentProps<'input'>, 'value' | 'onChange'>) {
  const t = useTexts(texts)
  return (
    <TextField
      label={t.identifier}
      name="identifier"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck="false"
      required
      maxLength={254}
      {...props}
    />
  )
}

/** Returns the message for a password that is too short or too long. */
export function useWrongPassword(password: string): string | undefined {
  const t = useTexts(texts)
  const length = passwordLengthOf(password)
  if (length < PASSWORD_MIN) return t.passwordShort(PASSWORD_MIN - length)
  return length > PASSWORD_MAX ? t.passwordLong : undefined
}

/** Heading of a card, below the logo of the site. */
export function Welcome({ title, lead }: { title: string; lead: string }) {
  return (
    <header className={styles.welcome}>
      <SiteMark />
      <h1>{title}</h1>
      <p>{lead}</p>
    </header>
  )
}

interface Props {
  error: unknown
  /** Text that explains the error. Without it, `Problem` shows the error. */
  text: string | false | undefined
  retry?: () => void
  /** Link below the text. */
  children?: ReactNode
}

/** Explains why a request failed. Renders nothing without an error. */
export function WhyNot({ error, text, retry, children }: Props) {
  if (!error) return null
  if (!text) return <Problem error={error} retry={retry} />
  return (
    <div className={styles.refusal} role="alert">
      <p>{text}</p>
      {children}
    </div>
  )
}
