import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../language/texts.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { texts } from './texts.ts'

interface Props {
  name: string
  revoke: () => Promise<unknown>
  /** Key of the query whose list contains the API key. */
  queryKey: QueryKey
  onClose: () => void
}

/** Dialog that asks for confirmation before revoking a key, which is irreversible. */
export function RevokeKey({ name, revoke, queryKey, onClose }: Props) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: revoke,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey })
      toast(t.revoked)
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.revokeAsk(name)}
      description={t.revokeHelp}
      act={t.revoke}
      isDangerous
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}
