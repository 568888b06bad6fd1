/** Dialogs that ask for confirmation before disabling or deleting a webhook. */
import type { Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useChange, useDeletion } from './changes.ts'
import { texts } from './texts.ts'

interface Props {
  webhook: Webhook
  onClose: () => void
}

export function DisableWebhook({ webhook, onClose }: Props) {
  const t = useTexts(texts)
  const { mutate, isPending, error } = useChange(webhook, onClose)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.disableAsk}
      description={t.disableHelp}
      act={t.disable}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate({ is_active: false })}
    />
  )
}

export function DeleteWebhook({
  webhook,
  onClose,
  onDeleted = onClose,
}: Props & { onDeleted?: () => unknown }) {
  const t = useTexts(texts)
  const { mutate, isPending, error } = useDeletion(webhook, onDeleted)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.deleteAsk}
      description={t.deleteHelp}
      act={t.delete}
      isDangerous
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
    />
  )
}
