import { Users } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { Empty } from '../ui/Empty.tsx'
import { texts } from './texts.ts'

/** In place of works of those one follows; leads to works that others like. */
export function NothingFollowed({ to }: { to: '/' | '/hype' | '/swipe' }) {
  const t = useTexts(texts)
  return (
    <Empty
      icon={<Users aria-hidden="true" />}
      title={t.nothingFollowed}
      // At home the list has a heading of its own.
      level={to === '/' ? 3 : 2}
      action={t.seePopular}
      link={{ to, search: { sort: 'popular' } }}
    >
      {t.followHelp}
    </Empty>
  )
}
