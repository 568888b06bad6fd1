import { Users } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { Empty } from '../ui/Empty.tsx'
import { texts } from './texts.ts'

/** Message for an empty feed of followed creators, with a link to popular content. */
export function NothingFollowed({ to }: { to: '/' | '/hype' | '/swipe' }) {
  const t = useTexts(texts)
  return (
    <Empty
      icon={<Users aria-hidden="true" />}
      title={t.nothingFollowed}
      // On the home page an h2 precedes the list.
      level={to === '/' ? 3 : 2}
      action={t.seePopular}
      link={{ to, search: { sort: 'popular' } }}
    >
      {t.followHelp}
    </Empty>
  )
}
