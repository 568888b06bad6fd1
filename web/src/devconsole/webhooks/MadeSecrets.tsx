import type { DataOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { Once } from '../Once.tsx'
import { texts } from './texts.ts'

interface Props {
  title: string
  made: DataOf<'createWebhook'>
  onClose: () => void
}

/** Dialog that shows both secrets of a webhook once. */
export function MadeSecrets({ title, made: { secret, signing_secret }, onClose }: Props) {
  const t = useTexts(texts)
  return (
    <Once
      title={title}
      secrets={[
        { label: t.secret, hint: t.secretHint, value: secret },
        { label: t.signingSecret, hint: t.signingHint, value: signing_secret },
      ]}
      onClose={onClose}
    />
  )
}
