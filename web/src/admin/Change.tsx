import { useState } from 'react'
import type { InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { TextArea } from '../ui/Field.tsx'
import styles from './admin.module.css'
import { useUserChange, useRefusal } from './changes.ts'
import { texts } from './texts.ts'

interface Props {
  id: string
  change: Omit<InputOf<'updateUser'>, 'reason'>
  title: string
  description: string
  act: string
  /** Message to show on success. */
  told: string
  isDangerous?: boolean
  needsReason?: boolean
  reasonAtFirst?: string
  onClose: () => void
}

/** Dialog that asks for a reason before an administrator changes a user. */
export function Change(props: Props) {
  const { id, change, told, needsReason = false, reasonAtFirst = '', onClose, ...shown } = props
  const t = useTexts(texts)
  const [reason, setReason] = useState(reasonAtFirst)
  const { mutate, isPending, error } = useUserChange(id, told, onClose)
  const refusal = useRefusal(error)
  const given = reason.trim()
  return (
    <Confirm
      {...shown}
      isOpen
      onClose={onClose}
      missing={
        (needsReason && given === '' && t.reasonMissing) ||
        (needsReason && given === reasonAtFirst && t.reasonUnchanged)
      }
      isBusy={isPending}
      error={refusal ? null : error}
      onConfirm={() => mutate({ ...change, ...(given && { reason: given }) })}
    >
      <TextArea
        label={needsReason ? t.reason : t.reasonOptional}
        hint={t.reasonHint}
        value={reason}
        maxLength={1000}
        required={needsReason}
        onChange={({ target }) => setReason(target.value)}
      />
      {refusal && (
        <p className={styles.explained} role="alert">
          {refusal}
        </p>
      )}
    </Confirm>
  )
}
