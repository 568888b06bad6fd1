import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { conversationsQuery } from '../shell/unread.ts'
import { Button } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Panes } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Conversation } from './Conversation.tsx'
import { Conversations, StartDialog } from './Conversations.tsx'
import { useConversation } from './queries.ts'
import { texts } from './texts.ts'

export function Messages() {
  const t = useTexts(texts)
  const { id } = useParams({ strict: false })
  const peer = useConversation(id)?.peer
  const title = peer ? t.with(peer.display_name) : id === undefined ? t.title : t.conversation
  const [isStarting, setIsStarting] = useState(false)
  const start = () => setIsStarting(true)
  return (
    <Page title={title} hidesTitle width="full">
      <Panes
        labels={[t.conversations, t.conversation]}
        list={<Conversations onStart={start} />}
        open={id !== undefined && <Conversation key={id} id={id} />}
        nothing={<Choose onStart={start} />}
      />
      <StartDialog isOpen={isStarting} onClose={() => setIsStarting(false)} />
    </Page>
  )
}

/** Asks the viewer to choose a conversation. Hidden if there are no conversations. */
function Choose({ onStart }: { onStart: () => void }) {
  const t = useTexts(texts)
  const { data } = useInfiniteQuery(conversationsQuery)
  if (!data?.pages.some(({ conversations }) => conversations.length > 0)) return null
  return (
    <Empty
      icon={<MessageCircle />}
      title={t.choose}
      action={<Button onClick={onStart}>{t.start}</Button>}
    >
      {t.chooseHelp}
    </Empty>
  )
}
