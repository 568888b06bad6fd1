import { useMutation } from '@tanstack/react-query'
import { generate } from 'lean-qr'
import { type ComponentProps, useMemo, useState } from 'react'
import { type DataOf, isPlazaError, type Passkey } from '#sdk'
import { createPasskey, isDismissed } from '../join/entering.ts'
import { PasswordField } from '../join/formParts.tsx'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Confirm, ConfirmRequest } from '../ui/Dialog.tsx'
import { FieldError, fieldErrorsOf, restOf, TextField } from '../ui/Field.tsx'
import { Code } from '../ui/Panel.tsx'
import styles from './Account.module.css'
import { texts } from './securityAndDataTexts.ts'

type Shown = 'title' | 'description' | 'act' | 'isDangerous' | 'onClose' | 'children'

interface Props<T> extends Pick<ComponentProps<typeof Confirm>, Shown> {
  /** True when a field in `children` is empty. The dialog then asks for the missing input instead of calling `run`. */
  isIncomplete?: boolean
  run: (password: string) => Promise<T>
  onDone: (result: T) => void
}

/** Asks for the current password, and for the fields in `children`, before it runs an action. */
export function PasswordDialog<T>(props: Props<T>) {
  const { isIncomplete = false, run, onDone, children, ...shown } = props
  const t = useTexts(texts)
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => run(password),
    onSuccess: onDone,
  })
  const dismissed = isDismissed(error)
  return (
    <Confirm
      {...shown}
      isOpen
      missing={(!password || isIncomplete) && t.missing}
      isBusy={isPending}
      error={dismissed ? undefined : restOf(error, ['current_password'])}
      onConfirm={() => mutate()}
    >
      {children}
      <PasswordField
        label={t.currentPassword}
        error={fieldErrorsOf(error)['current_password']}
        value={password}
        autoComplete="current-password"
        required
        onChange={({ target }) => setPassword(target.value)}
      />
      <FieldError>{dismissed && t.notCreated}</FieldError>
    </Confirm>
  )
}

const NAME_MAX = 50

interface AddProps {
  onDone: (codes: string[] | null) => void
  onClose: () => void
}

export function AddPasskey({ onDone, onClose }: AddProps) {
  const t = useTexts(texts)
  const [name, setName] = useState(t.passkeyName)
  return (
    <PasswordDialog
      title={t.addPasskey}
      description={t.addPasskeyHelp}
      act={t.addPasskey}
      isIncomplete={!name.trim()}
      run={(password) => createPasskey(name, password)}
      onDone={({ recovery_codes }) => onDone(recovery_codes)}
      onClose={onClose}
    >
      <NameField name={name} onName={setName} />
    </PasswordDialog>
  )
}

interface RenameProps {
  passkey: Passkey
  onDone: () => void
  onClose: () => void
}

export function RenamePasskey({ passkey, onDone, onClose }: RenameProps) {
  const t = useTexts(texts)
  const [name, setName] = useState(passkey.name)
  return (
    <ConfirmRequest
      isOpen
      onClose={onClose}
      title={t.rename}
      act={t.rename}
      missing={!name.trim() && t.missing}
      request={() => plaza.secondFactor.updatePasskey(passkey.id, { name })}
      onDone={onDone}
    >
      <NameField name={name} onName={setName} />
    </ConfirmRequest>
  )
}

function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  const t = useTexts(texts)
  return (
    <TextField
      label={t.passkeyNameLabel}
      hint={t.passkeyNameHelp}
      value={name}
      maxLength={NAME_MAX}
      required
      onChange={({ target }) => onName(target.value)}
    />
  )
}

interface SetupProps {
  onDone: (codes: string[] | null) => void
  onClose: () => void
}

/** Dialog that sets up TOTP in two steps: the password, then a code from the app that scanned the QR code. */
export function TotpSetup({ onDone, onClose }: SetupProps) {
  const t = useTexts(texts)
  const [made, setMade] = useState<DataOf<'createTotp'>>()
  if (made) return <FirstCode made={made} onDone={onDone} onClose={onClose} />
  return (
    <PasswordDialog
      title={t.setUpTitle}
      description={t.setUpHelp}
      act={t.next}
      run={(current_password) => plaza.secondFactor.createTotp({ current_password })}
      onDone={setMade}
      onClose={onClose}
    />
  )
}

function FirstCode({ made, onDone, onClose }: SetupProps & { made: DataOf<'createTotp'> }) {
  const t = useTexts(texts)
  const [otp, setOtp] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.secondFactor.confirmTotp({ otp }),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
  })
  const isWrong = isPlazaError(error, 'OTP_INVALID')
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.scanTitle}
      description={t.scanHelp}
      act={t.confirm}
      missing={!otp.trim() && t.codeMissing}
      isBusy={isPending}
      error={isWrong ? undefined : error}
      onConfirm={() => mutate()}
    >
      <QrCode text={made.otpauth_url} label={t.qr} />
      <Code text={made.secret} label={t.key} />
      <TextField
        label={t.code}
        error={isWrong ? error.message : undefined}
        value={otp}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={20}
        onChange={({ target }) => setOtp(target.value)}
      />
    </Confirm>
  )
}

/** Width of the light border that scanners need around a QR code, in modules (squares of the code). */
const QUIET = 4

/** Draws a QR code dark on light in both themes, because many scanners cannot read inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text])
  const box = `${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`
  return (
    <svg className={styles.qr} viewBox={box} role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}

function drawn(text: string): { size: number; path: string } {
  const code = generate(text)
  let path = ''
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`
    }
  }
  return { size: code.size, path }
}
