import { useState } from 'react'
import type { Passkey } from '#sdk'
import { createPasskey } from '../join/passkeys.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { texts } from './securityTexts.ts'

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
