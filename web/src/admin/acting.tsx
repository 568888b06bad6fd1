/** Forms and confirmations for changes that administrators make. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { openQuery } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Dialog.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Form, type FormProps } from '../ui/Form.tsx'
import { toast } from '../ui/toast.ts'
import { texts } from './areaTexts.ts'

/**
 * Returns a mutation. After success, it shows the notice `done`, refetches all data that the change may affect, and
 * calls `onDone`. After EDIT_CONFLICT it also refetches, so that the next attempt sends the new revision.
 */
export function useAct<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  done: string,
  onDone?: (answer: Answer) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: ['admin'] })
      void queries.invalidateQueries({ queryKey: ['site'] })
      void queries.invalidateQueries({ queryKey: openQuery.queryKey })
      toast(done)
      onDone?.(answer)
    },
    onError: (error) => {
      if (!isPlazaError(error, 'EDIT_CONFLICT')) return
      void queries.invalidateQueries({ queryKey: ['admin'] })
    },
  })
}

/** Form that explains EDIT_CONFLICT, by default with a text about another editor. */
export function AdminForm({ conflict, ...props }: FormProps & { conflict?: string | undefined }) {
  const t = useTexts(texts)
  const isConflict = isPlazaError(props.error, 'EDIT_CONFLICT')
  return <Form {...props} explanation={isConflict && (conflict ?? t.conflict)} />
}

interface AskProps
  extends Pick<ComponentProps<typeof Confirm>, 'title' | 'description' | 'isDangerous'> {
  /** Label of the button that opens the confirmation dialog. */
  label: string
  done: string
  /** Hint of the field for a reason. If undefined, the dialog has no such field. */
  reasonHint?: string
  act: (reason: string) => Promise<unknown>
}

/** A button whose action must be confirmed. */
export function Ask({ label, done, reasonHint, act, ...shown }: AskProps) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const [reason, setReason] = useState('')
  const close = () => setIsAsking(false)
  const { mutate, isPending, error, reset } = useAct(act, done, close)
  const open = () => {
    reset()
    setIsAsking(true)
  }
  return (
    <>
      <Button size="small" look={shown.isDangerous ? 'danger' : 'quiet'} onClick={open}>
        {label}
      </Button>
      {isAsking && (
        <Confirm
          {...shown}
          isOpen
          onClose={close}
          act={label}
          isBusy={isPending}
          error={error}
          onConfirm={() => mutate(reason.trim())}
        >
          {reasonHint && (
            <TextArea
              label={t.reasonOptional}
              hint={reasonHint}
              value={reason}
              maxLength={1000}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Confirm>
      )}
    </>
  )
}
