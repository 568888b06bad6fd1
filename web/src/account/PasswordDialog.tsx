import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { PasswordField } from '../join/fields.tsx'
import { isDismissed } from '../join/passkeys.ts'
import { useTexts } from '../language/texts.ts'
import { Confirm } from '../ui/Dialog.tsx'
import { FieldError, fieldErrorsOf, restOf } from '../ui/Field.tsx'
import { texts } from './securityTexts.ts'

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
