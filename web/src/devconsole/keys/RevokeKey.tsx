import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { keysQuery } from '../queries.ts'
import { texts } from './texts.ts'

/** Ends a key for good. */
export function RevokeKey({ of: key, onClose }: { of: ApiKey; onClose: () => void }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.revokeKey({ key_id: key.id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keysQuery(key.app_id).queryKey })
      toast(t.revoked)
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.revokeAsk(key.key_name)}
      description={t.revokeHelp}
      act={t.revoke}
      isDangerous
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}
