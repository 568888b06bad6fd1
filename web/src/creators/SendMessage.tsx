import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/asking.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { problemText } from '../ui/problemText.ts'
import { texts as uiTexts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { texts } from './texts.ts'

/** Button that opens the conversation with a user. Creates the conversation if needed. */
export function SendMessage({ handle }: { handle: string }) {
  const t = useTexts(texts)
  const said = useTexts(uiTexts)
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: () => plaza.conversations.create({ handle }),
    onSuccess: ({ conversation: { id } }) => navigate({ to: '/messages/$id', params: { id } }),
    onError: (error) => {
      const isAnswer = isPlazaError(error) && error.status > 0
      toast(isAnswer ? problemText(error, said) : t.messageFailed, { isBad: true })
    },
  })
  return (
    <Button
      icon={<MessageCircle aria-hidden="true" />}
      busy={isPending}
      onClick={() => asMember(() => mutate())}
    >
      {t.message}
    </Button>
  )
}
