import { useMutation } from '@tanstack/react-query'
import { generate } from 'lean-qr'
import { useMemo, useState } from 'react'
import { type DataOf, isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Code } from '../ui/Panel.tsx'
import { Confirm } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import styles from './Account.module.css'
import { PasswordDialog } from './PasswordDialog.tsx'
import { texts } from './securityTexts.ts'

interface Props {
  onDone: (codes: string[] | null) => void
  onClose: () => void
}

/** Dialog that sets up TOTP in two steps: the password, then a code from the app that scanned the QR code. */
export function TotpSetup({ onDone, onClose }: Props) {
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

function FirstCode({ made, onDone, onClose }: Props & { made: DataOf<'createTotp'> }) {
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
